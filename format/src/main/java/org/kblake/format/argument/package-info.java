/**
 * Parsers of arguments: times, durations, sizes, positions.
 *
 * <p>May use {@code core.internal.time}.
 */
@NullMarked
package org.kblake.format.argument;

import org.jspecify.annotations.NullMarked;
