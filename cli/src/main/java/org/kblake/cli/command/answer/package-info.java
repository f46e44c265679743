/**
 * What commands that answer questions about channels share: channels as arguments, progress, notes
 * on missing and empty answers, files that appear when they are complete.
 *
 * <p>May use {@code core.model}, {@code core.internal.log.file}, {@code query}, {@code
 * query.question}, {@code query.answer}, {@code cli.command.shared}, {@code cli.filter}, {@code
 * format.text}, {@code cli.frame}, {@code cli.settings}, {@code cli.error}, {@code
 * format.argument}, {@code cli.process}, {@code cli.progress}.
 */
@NullMarked
package org.kblake.cli.command.answer;

import org.jspecify.annotations.NullMarked;
