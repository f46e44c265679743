package org.kblake.ingest.internal.compact;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.block.Block;

/**
 * The profile of columns of old events. It is usually denser, because they are read less often.
 *
 * @param after the age of the latest event of a block from which the block is old
 * @param profile the profile of its columns then
 */
public record AgedProfile(Duration after, WriteProfile profile) {

  public AgedProfile {
    if (after.isNegative()) {
      throw new IllegalArgumentException("age is negative: after=" + after);
    }
  }

  /** Returns whether a block's events are old. */
  boolean isFor(Block block, Instant now) {
    Instant before = now.minus(after);
    return block.summary().lastNanos() < TimeUnit.SECONDS.toNanos(before.getEpochSecond());
  }
}
