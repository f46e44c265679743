package org.kblake.ingest.internal.image;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.PairIdentity;
import org.kblake.core.internal.store.block.PairImage;

/** Makes the images of pairs that blocks contain. */
final class PairImages {

  private PairImages() {}

  /**
   * @param identity the identity that was read when the span was begun
   * @param toOffset the end of the block's span; at the end of a closed pair the image has its
   *     closing, too
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
