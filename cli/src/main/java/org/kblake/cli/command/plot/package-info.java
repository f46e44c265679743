/**
 * {@code kblake plot}: channels as a picture.
 *
 * <p>May use {@code core.model}, {@code query}, {@code query.question}, {@code query.answer},
 * {@code cli.command.answer}, {@code cli.command.shared}, {@code cli.draw}, {@code cli.plot},
 * {@code cli.frame}, {@code cli.settings}, {@code cli.error}, {@code cli.process}.
 */
@NullMarked
package org.kblake.cli.command.plot;

import org.jspecify.annotations.NullMarked;
