/**
 * {@code kblake status}, {@code kblake check} and {@code kblake doctor}.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.columns}, {@code
 * core.internal.names}, {@code core.internal.log.file}, {@code core.internal.log.pair}, {@code
 * core.internal.log.archive}, {@code core.internal.mirror}, {@code core.internal.store}, {@code
 * core.internal.store.access}, {@code core.internal.store.block}, {@code
 * core.internal.store.chunk}, {@code ingest.internal.image}, {@code ingest.internal.live.state},
 * {@code ingest.internal.live.group}, {@code cli.command.service}, {@code cli.command.shared},
 * {@code cli.run.settings}, {@code cli.run.status}, {@code cli.check}, {@code cli.handover}, {@code
 * cli.doctor}, {@code cli.process}, {@code cli.frame}, {@code cli.settings}, {@code cli.error},
 * {@code format.argument}.
 */
@NullMarked
package org.kblake.cli.command.status;

import org.jspecify.annotations.NullMarked;
