/**
 * The service that follows an archive: {@link org.kblake.ingest.internal.live.FollowService}, its
 * threads, and its work on the store as a whole: merging, verifying, evicting, requested backfills.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.columns}, {@code
 * core.internal.log.file}, {@code core.internal.log.pair}, {@code core.internal.log.archive},
 * {@code core.internal.mirror}, {@code core.internal.store}, {@code core.internal.store.access},
 * {@code core.internal.store.file}, {@code core.internal.store.block}, {@code
 * ingest.internal.pace}, {@code ingest.internal.image}, {@code ingest.internal.transcode}, {@code
 * ingest.internal.backfill}, {@code ingest.internal.compact}, {@code ingest.internal.verify},
 * {@code ingest.internal.live.state}, {@code ingest.internal.live.group}, {@code
 * ingest.internal.live.mirror}.
 */
@NullMarked
package org.kblake.ingest.internal.live;

import org.jspecify.annotations.NullMarked;
