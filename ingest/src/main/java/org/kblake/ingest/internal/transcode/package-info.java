/**
 * The plan of a group's stretches that are missing in the store, and the work that makes blocks of
 * them.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.layout}, {@code
 * core.internal.log.file}, {@code core.internal.log.pair}, {@code core.internal.log.archive},
 * {@code core.internal.log.scan}, {@code core.internal.store}, {@code core.internal.store.block},
 * {@code core.internal.parquet.file}, {@code ingest.internal.pace}, {@code ingest.internal.rows},
 * {@code ingest.internal.image}.
 */
@NullMarked
package org.kblake.ingest.internal.transcode;

import org.jspecify.annotations.NullMarked;
