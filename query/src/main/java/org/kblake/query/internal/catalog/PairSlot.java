package org.kblake.query.internal.catalog;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * A pair of the archive, or of blocks that were made of it.
 *
 * @param group the group
 * @param number the number of the pair, counted from the group's first
 * @param stamp the pair, by the {@code yyyymmddhhmmss} of its file names
 * @param beginNanos the earliest time that the stamp may mean
 * @param endNanos the latest time at which the pair after it may have been begun; {@link
 *     Long#MAX_VALUE} if no pair was certainly begun after it
 * @param logPath the path of the log, which may be missing
 * @param pair the pair as listed; null if the archive does not have it or is not used
 * @param stored the spans of the pair in blocks, by offset
 */
public record PairSlot(
    Group group,
    int number,
    String stamp,
    long beginNanos,
    long endNanos,
    Path logPath,
    @Nullable Pair pair,
    List<StoredSpan> stored) {

  /** The part of an order key that is an offset in the pair's log. */
  public static final long OFFSET_MASK = 0xFFFF_FFFFL;

  public PairSlot {
    stored = List.copyOf(stored);
  }

  /** Returns the key of an offset in the group's log order. */
  public long orderKey(long offset) {
    return (long) number << 32 | offset;
  }

  /**
   * Returns whether the pair may have events of a range, by the times in the names of its files.
   */
  public boolean mayMeet(TimeRange range, long slackNanos) {
    return range.meets(
        EpochNanos.minus(beginNanos, slackNanos), EpochNanos.plus(endNanos, slackNanos));
  }
}
