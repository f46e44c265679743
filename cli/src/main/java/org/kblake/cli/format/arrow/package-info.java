/**
 * Answers as Arrow IPC.
 *
 * <p>May use {@code cli.format}.
 */
@NullMarked
package org.kblake.cli.format.arrow;

import org.jspecify.annotations.NullMarked;
