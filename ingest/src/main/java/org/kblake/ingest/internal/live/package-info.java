/**
 * The service that follows an archive: {@link org.kblake.ingest.internal.live.FollowService}, its
 * threads, and its work on the store as a whole: merging, verifying, evicting, requested backfills.
 */
@NullMarked
package org.kblake.ingest.internal.live;

import org.jspecify.annotations.NullMarked;
