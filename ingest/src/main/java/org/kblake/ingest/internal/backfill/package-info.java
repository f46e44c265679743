/**
 * Backfill for a command: the missing stretches, the progress, the summary.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.layout}, {@code
 * core.internal.log.pair}, {@code core.internal.log.archive}, {@code core.internal.store}, {@code
 * core.internal.store.block}, {@code core.internal.parquet.file}, {@code ingest.internal.pace},
 * {@code ingest.internal.rows}, {@code ingest.internal.image}, {@code ingest.internal.transcode}.
 */
@NullMarked
package org.kblake.ingest.internal.backfill;

import org.jspecify.annotations.NullMarked;
