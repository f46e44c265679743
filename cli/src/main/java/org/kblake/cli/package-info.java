/**
 * The program {@code kblake}. Its commands are registered here.
 *
 * <p>May use {@code core.internal.start}, {@code cli.command.coverage}, {@code cli.command.get},
 * {@code cli.command.analysis}, {@code cli.command.plot}, {@code cli.command.look}, {@code
 * cli.command.store}, {@code cli.command.status}, {@code cli.command.serve}, {@code
 * cli.command.service}, {@code cli.command.simulate}, {@code cli.extension}, {@code cli.frame},
 * {@code cli.kblogrd}, {@code cli.process}, {@code cli.error}.
 */
@NullMarked
package org.kblake.cli;

import org.jspecify.annotations.NullMarked;
