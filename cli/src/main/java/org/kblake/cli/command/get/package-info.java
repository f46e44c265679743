/**
 * {@code kblake get}: events and held values as text, Arrow or Parquet.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.log.file}, {@code
 * query}, {@code query.question}, {@code query.answer}, {@code query.arrow}, {@code
 * cli.command.shared}, {@code cli.filter}, {@code cli.format}, {@code cli.format.answer}, {@code
 * cli.format.text}, {@code cli.format.time}, {@code cli.frame}, {@code cli.settings}, {@code
 * cli.error}, {@code cli.argument}, {@code cli.process}, {@code cli.progress}.
 */
@NullMarked
package org.kblake.cli.command.get;

import org.jspecify.annotations.NullMarked;
