package org.kblake.core.store;

import java.util.List;

/**
 * When a stretch of a block has events.
 *
 * @param firstNanos earliest time of an event that is no stray; {@link Long#MAX_VALUE} if none
 * @param lastNanos latest time of an event that is no stray; {@link Long#MIN_VALUE} if none
 * @param isDamaged whether there are bytes that no event could be read from
 */
public record StretchTimes(long firstNanos, long lastNanos, boolean isDamaged) {

  /** Those of each stretch. */
  static StretchTimes[] of(List<StoredSegment> segments, int stretches) {
    StretchTimes[] times = new StretchTimes[stretches];
    for (int i = 0; i < stretches; i++) {
      times[i] = new StretchTimes(Long.MAX_VALUE, Long.MIN_VALUE, false);
    }
    for (StoredSegment segment : segments) {
      StretchTimes before = times[segment.stretch()];
      times[segment.stretch()] =
          new StretchTimes(
              Math.min(before.firstNanos, segment.firstNanos()),
              Math.max(before.lastNanos, segment.lastNanos()),
              before.isDamaged || segment.damagedBytes() > 0);
    }
    return times;
  }
}
