/** Parsers of arguments: times, durations, sizes, positions, conditions. */
@NullMarked
package org.kblake.format.argument;

import org.jspecify.annotations.NullMarked;
