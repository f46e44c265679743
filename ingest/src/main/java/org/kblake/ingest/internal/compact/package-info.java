/**
 * Merges small blocks into larger ones, and writes blocks of old events in another codec.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.columns}, {@code
 * core.internal.columns}, {@code core.layout}, {@code core.internal.log.pair}, {@code
 * core.internal.log.archive}, {@code core.internal.store}, {@code core.internal.store.file}, {@code
 * core.internal.store.block}, {@code core.internal.store.chunk}, {@code
 * core.internal.parquet.file}, {@code ingest.internal.pace}, {@code ingest.internal.rows}, {@code
 * ingest.internal.image}, {@code ingest.internal.backfill}.
 */
@NullMarked
package org.kblake.ingest.internal.compact;

import org.jspecify.annotations.NullMarked;
