package org.kblake.core.internal.store.block;

import java.util.List;

/**
 * When a stretch of a block has events.
 *
 * @param firstNanos earliest time of an event that is no stray; {@link Long#MAX_VALUE} if none
 * @param lastNanos latest time of an event that is no stray; {@link Long#MIN_VALUE} if none
 * @param isDamaged whether there are bytes that no event could be read from
 */
public record StretchTimes(long firstNanos, long lastNanos, boolean isDamaged) {

  /**
   * Those of a stretch.
   *
   * @param segments all of it
   */
  static StretchTimes of(List<StoredSegment> segments) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    boolean damaged = false;
    for (StoredSegment segment : segments) {
      first = Math.min(first, segment.firstNanos());
      last = Math.max(last, segment.lastNanos());
      damaged |= segment.damagedBytes() > 0;
    }
    return new StretchTimes(first, last, damaged);
  }
}
