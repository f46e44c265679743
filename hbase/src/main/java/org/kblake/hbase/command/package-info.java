/**
 * {@code kblake export hbase} and {@code kblake import hbase}.
 *
 * <p>May use {@code core.model}, {@code core.internal.store.file}, {@code cli.frame}, {@code
 * cli.error}, {@code cli.process}, {@code cli.progress}, {@code cli.settings}, {@code
 * cli.command.answer}, {@code cli.command.shared}, {@code format.argument}, {@code query}, {@code
 * query.answer}, {@code query.question}, {@code hbase.cell}, {@code hbase.cluster}, {@code
 * hbase.export}, {@code hbase.restore}, {@code hbase.destination}, {@code hbase.stop}.
 */
@NullMarked
package org.kblake.hbase.command;

import org.jspecify.annotations.NullMarked;
