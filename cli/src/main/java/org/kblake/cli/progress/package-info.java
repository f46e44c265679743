/**
 * The progress of a long command: a bar on a terminal, plain lines elsewhere.
 *
 * <p>May use {@code format.argument}, {@code cli.process}.
 */
@NullMarked
package org.kblake.cli.progress;

import org.jspecify.annotations.NullMarked;
