/**
 * {@code kblake moved} and {@code kblake diff}: which channels left their habit, and what differs
 * between two instants.
 *
 * <p>May use {@code core.model}, {@code query}, {@code query.question}, {@code query.answer},
 * {@code cli.command.answer}, {@code cli.command.shared}, {@code cli.frame}, {@code cli.settings},
 * {@code cli.error}, {@code format.argument}.
 */
@NullMarked
package org.kblake.cli.command.analysis;

import org.jspecify.annotations.NullMarked;
