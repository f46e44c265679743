/**
 * {@code kblake moved}, {@code kblake diff} and {@code kblake when}: which channels left their
 * habit, what differs between two instants, and when conditions are met.
 *
 * <p>May use {@code core.model}, {@code query}, {@code query.question}, {@code query.answer},
 * {@code cli.command.answer}, {@code cli.command.shared}, {@code cli.frame}, {@code cli.settings},
 * {@code cli.error}, {@code format.argument}, {@code format.text}.
 */
@NullMarked
package org.kblake.cli.command.analysis;

import org.jspecify.annotations.NullMarked;
