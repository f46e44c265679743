/**
 * {@code kblake coverage}: the state of each group's log over time, as strips.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.columns}, {@code
 * core.internal.names}, {@code core.internal.time}, {@code core.layout}, {@code
 * core.internal.log.pair}, {@code core.internal.log.writes}, {@code core.internal.log.scan}, {@code
 * core.internal.log.file}, {@code core.internal.log.archive}, {@code core.internal.mirror}, {@code
 * core.internal.stop}, {@code core.internal.store}, {@code core.internal.store.block}, {@code
 * query.question}, {@code cli.command.answer}, {@code cli.command.shared}, {@code cli.draw}, {@code
 * cli.frame}, {@code cli.settings}, {@code cli.process}, {@code cli.progress}, {@code cli.error},
 * {@code format.argument}.
 */
@NullMarked
package org.kblake.cli.command.coverage;

import org.jspecify.annotations.NullMarked;
