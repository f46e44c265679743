/**
 * Answers as Arrow IPC.
 *
 * <p>May use {@code format}.
 */
@NullMarked
package org.kblake.format.arrow;

import org.jspecify.annotations.NullMarked;
