/**
 * Questions: channels, ranges, grids, and the errors of unknown names. Immutable values; nothing is
 * read here.
 *
 * <p>May use {@code core.model}, {@code core.internal.time}.
 */
@NullMarked
package org.kblake.query.question;

import org.jspecify.annotations.NullMarked;
