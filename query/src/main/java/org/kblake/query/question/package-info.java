/**
 * Questions: channels, ranges, grids, and the errors of unknown names. All are immutable values.
 *
 * <p>May use {@code core.model}, {@code core.internal.time}.
 */
@NullMarked
package org.kblake.query.question;

import org.jspecify.annotations.NullMarked;
