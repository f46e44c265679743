package org.kblake.hbase.restore;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The times of the milestones of a restored pair. A milestone that ends a segment usually begins
 * the next one, too. Where the clock was set so that no time is right for both, the log has two
 * milestones.
 *
 * @param beforeNanos the time of the milestone before each segment
 * @param afterNanos the time of a milestone behind each segment; the least long if the next
 *     segment's milestone ends it
 */
record RestoredMilestones(long[] beforeNanos, long[] afterNanos) {

  /** The first time that a log can have. */
  static final long FIRST_NANOS = nanos("1990-01-01T00:00:00Z");

  /** The last second that a log can have. */
  static final long LAST_NANOS = FIRST_NANOS + TimeUnit.SECONDS.toNanos((1L << Integer.SIZE) - 1);

  private static final long NONE = Long.MIN_VALUE;

  private static long nanos(String time) {
    return TimeUnit.SECONDS.toNanos(Instant.parse(time).getEpochSecond());
  }

  /**
   * Chooses the times.
   *
   * @param segments the segments of a pair in log order, at least one
   * @param pair the pair, for messages
   * @throws IOException if the events were exported with another disorder bound
   */
  static RestoredMilestones of(List<RestoredSegment> segments, String pair) throws IOException {
    long[] before = new long[segments.size()];
    long[] after = new long[segments.size()];
    for (int i = 0; i < segments.size(); i++) {
      RestoredSegment segment = segments.get(i);
      RestoredSegment.Choice first = segment.first();
      if (first == null) {
        throw otherBound(pair);
      }
      before[i] = first.nearest(segment.usualFirst());
      after[i] = NONE;
      if (i > 0) {
        RestoredSegment last = segments.get(i - 1);
        RestoredSegment.Choice end = last.second(before[i - 1]);
        if (end == null) {
          throw otherBound(pair);
        }
        RestoredSegment.Choice common = end.and(first);
        if (common == null) {
          after[i - 1] = end.nearest(last.usualSecond());
        } else {
          before[i] = common.nearest(segment.usualFirst());
        }
      }
    }
    int newest = segments.size() - 1;
    RestoredSegment.Choice end = segments.get(newest).second(before[newest]);
    if (end == null) {
      throw otherBound(pair);
    }
    after[newest] = end.nearest(segments.get(newest).usualSecond());
    return new RestoredMilestones(before, after);
  }

  private static IOException otherBound(String pair) {
    return new IOException(
        "strays cannot be restored: pair="
            + pair
            + ", the events were exported with another disorder bound; set disorder-bound");
  }

  /** Returns whether a milestone of its own ends a segment. */
  boolean hasAfter(int segment) {
    return afterNanos[segment] != NONE;
  }
}
