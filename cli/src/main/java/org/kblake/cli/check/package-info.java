/**
 * The rules of {@code kblake check}: figures and thresholds come in, one line and a status in the
 * manner of Nagios go out. Nothing is read here.
 *
 * <p>May use {@code cli.argument}.
 */
@NullMarked
package org.kblake.cli.check;

import org.jspecify.annotations.NullMarked;
