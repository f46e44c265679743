/**
 * Parsers of arguments: times, durations, sizes, positions, conditions.
 *
 * <p>May use {@code core.columns}, {@code core.internal.time}, {@code query.question}.
 */
@NullMarked
package org.kblake.format.argument;

import org.jspecify.annotations.NullMarked;
