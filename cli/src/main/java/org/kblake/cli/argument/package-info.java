/**
 * Texts that users type and their meaning: times, durations, sizes, positions.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.cli.argument;

import org.jspecify.annotations.NullMarked;
