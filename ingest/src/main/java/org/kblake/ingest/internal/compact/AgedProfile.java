package org.kblake.ingest.internal.compact;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.block.Block;

/**
 * How columns of old events are written: denser as a rule, since they are read less often.
 *
 * @param after how long ago the latest event of a block must have been
 * @param profile how its columns are written then
 */
public record AgedProfile(Duration after, WriteProfile profile) {

  public AgedProfile {
    if (after.isNegative()) {
      throw new IllegalArgumentException("age is negative: after=" + after);
    }
  }

  /** Whether a block's events are old. */
  boolean isFor(Block block, Instant now) {
    Instant before = now.minus(after);
    return block.summary().lastNanos() < TimeUnit.SECONDS.toNanos(before.getEpochSecond());
  }
}
