/**
 * Questions: channels, ranges, grids, filters of rows, and the errors of unknown names. All
 * questions are immutable values.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.time}.
 */
@NullMarked
package org.kblake.query.question;

import org.jspecify.annotations.NullMarked;
