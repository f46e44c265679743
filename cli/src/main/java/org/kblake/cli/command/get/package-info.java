/**
 * {@code kblake get} and {@code kblake build}: events and held values as text, Arrow or Parquet.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code query}, {@code query.question},
 * {@code query.answer}, {@code query.arrow}, {@code cli.command.answer}, {@code
 * cli.command.shared}, {@code cli.filter}, {@code format}, {@code format.answer}, {@code
 * format.text}, {@code format.time}, {@code cli.frame}, {@code cli.settings}, {@code cli.error},
 * {@code cli.progress}, {@code format.argument}, {@code format.table}.
 */
@NullMarked
package org.kblake.cli.command.get;

import org.jspecify.annotations.NullMarked;
