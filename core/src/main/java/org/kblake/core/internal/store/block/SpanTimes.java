package org.kblake.core.internal.store.block;

import java.util.List;

/**
 * The times of the events of a span of a block.
 *
 * @param firstNanos earliest time of an event that is not a stray, {@link Long#MAX_VALUE} if there
 *     is none
 * @param lastNanos latest time of an event that is not a stray, {@link Long#MIN_VALUE} if there is
 *     none
 * @param isDamaged whether some bytes could not be read as events
 */
public record SpanTimes(long firstNanos, long lastNanos, boolean isDamaged) {

  /**
   * Returns the times of a span.
   *
   * @param segments all segments of the span
   */
  static SpanTimes of(List<StoredSegment> segments) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    boolean damaged = false;
    for (StoredSegment segment : segments) {
      first = Math.min(first, segment.firstNanos());
      last = Math.max(last, segment.lastNanos());
      damaged |= segment.damagedBytes() > 0;
    }
    return new SpanTimes(first, last, damaged);
  }
}
