/**
 * Commands that show contents: channels, inspect, files, sql, compare.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.names}, {@code
 * core.layout}, {@code core.internal.log.pair}, {@code core.internal.log.archive}, {@code
 * core.internal.log.scan}, {@code core.internal.log.inspect}, {@code core.internal.store}, {@code
 * core.internal.store.block}, {@code ingest.internal.image}, {@code query}, {@code query.question},
 * {@code query.answer}, {@code cli.command.shared}, {@code format.text}, {@code cli.compare},
 * {@code cli.files}, {@code cli.frame}, {@code cli.settings}, {@code cli.process}, {@code
 * cli.progress}, {@code cli.error}, {@code format.argument}.
 */
@NullMarked
package org.kblake.cli.command.look;

import org.jspecify.annotations.NullMarked;
