/**
 * The frame of all commands: declarations of options, common options, help, error reports, the
 * session of one run. No command is named here.
 *
 * <p>May use {@code core.model}, {@code cli.settings}, {@code cli.process}, {@code cli.error},
 * {@code format.argument}, {@code cli.progress}, {@code query.question}.
 */
@NullMarked
package org.kblake.cli.frame;

import org.jspecify.annotations.NullMarked;
