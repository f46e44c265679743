package org.kblake.query.internal.catalog;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * A pair that the archive has, or had when blocks were made of it.
 *
 * @param group the group
 * @param number counted from the group's first pair
 * @param stamp the pair, by the {@code yyyymmddhhmmss} of its file names
 * @param beginNanos the stamp as a time
 * @param endNanos the next pair's stamp as a time, {@link Long#MAX_VALUE} of the newest
 * @param logPath where the log is, or was
 * @param pair the pair as listed; null if the archive does not have it or is not looked at
 * @param stored what blocks hold of it, by offset
 */
public record PairSlot(
    Group group,
    int number,
    String stamp,
    long beginNanos,
    long endNanos,
    Path logPath,
    @Nullable Pair pair,
    List<StoredStretch> stored) {

  public PairSlot {
    stored = List.copyOf(stored);
  }

  /** Where an offset of the log stands in the group's log order. */
  public long orderKey(long offset) {
    return (long) number << 32 | offset;
  }

  /** Whether it may hold events of a range, judged by the names of the files. */
  public boolean mayMeet(TimeRange range, long slackNanos) {
    return range.meets(
        EpochNanos.minus(beginNanos, slackNanos), EpochNanos.plus(endNanos, slackNanos));
  }
}
