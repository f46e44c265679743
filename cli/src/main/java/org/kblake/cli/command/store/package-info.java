/**
 * Commands that write or verify a store: backfill, compact, verify, restore.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.layout}, {@code
 * core.internal.log.file}, {@code core.internal.log.pair}, {@code core.internal.log.archive},
 * {@code core.internal.store}, {@code core.internal.store.file}, {@code core.internal.store.block},
 * {@code core.internal.parquet.file}, {@code ingest.internal.pace}, {@code
 * ingest.internal.backfill}, {@code ingest.internal.compact}, {@code ingest.internal.verify},
 * {@code ingest.internal.live.state}, {@code cli.command.shared}, {@code cli.run.status}, {@code
 * cli.handover}, {@code cli.frame}, {@code cli.settings}, {@code cli.error}, {@code
 * format.argument}, {@code cli.progress}.
 */
@NullMarked
package org.kblake.cli.command.store;

import org.jspecify.annotations.NullMarked;
