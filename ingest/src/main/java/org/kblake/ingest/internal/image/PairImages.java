package org.kblake.ingest.internal.image;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.PairIdentity;
import org.kblake.core.internal.store.block.PairImage;

/** Makes what a block keeps of a pair. */
final class PairImages {

  private PairImages() {}

  /**
   * @param identity the pair's, which was read when its part of the block was begun
   * @param toOffset where the block's part of the pair ends; at the end of a closed pair its
   *     closing is kept, too
   */
  static PairImage of(PairLog log, PairIdentity identity, long toOffset) {
    boolean ends = log.closed() && toOffset == log.logBytes();
    return new PairImage(
        log.pair().stamp(),
        log.indexHead(),
        identity.firstMilestoneSha256(),
        log.milestoneIntervalNanos(),
        ends ? closing(log) : null);
  }

  private static PairImage.@Nullable Closing closing(PairLog log) {
    return new PairImage.Closing(
        log.logBytes(),
        log.indexTail(),
        log.logModified().to(TimeUnit.NANOSECONDS),
        log.indexModified().to(TimeUnit.NANOSECONDS));
  }
}
