package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.TimeRange;

/**
 * Chooses the segments of an index that are needed for a range of time.
 *
 * <p>The time in an index entry may be damaged. Then the time in the log counts. If the times of
 * the entries ascend, a wrong time lies between those of its neighbours. Then only segments whose
 * neighbours meet the range are checked in the log. Otherwise all segments are, also if the log is
 * cut after a milestone before which the clock was set back.
 */
final class SegmentPlanner {

  /** The resolution of a stamp: a pair begins up to one second later than its stamp. */
  private static final long STAMP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PairLog log;
  private final Milestones milestones;
  private final @Nullable MilestoneTimes times;
  private final boolean ascending;

  /**
   * @param times the times in index and log; null if the log must not be read: then every segment
   *     is chosen that would be checked in the log
   */
  SegmentPlanner(PairLog log, @Nullable MilestoneTimes times) {
    this.log = log;
    this.milestones = log.milestones();
    this.times = times;
    ascending = milestones.isAscending() && !endsWithBackwardStep();
  }

  /** Returns whether the last segment reaches back before its milestone. */
  private boolean endsWithBackwardStep() {
    int last = milestones.count() - 1;
    return last >= 0 && indexed(last).fromNanos() < milestones.nanos(last);
  }

  List<IndexSegment> meeting(TimeRange range) throws IOException {
    int last = milestones.count() - 1;
    List<IndexSegment> segments = new ArrayList<>();
    for (int i = firstThatMayMeet(range); i <= last && mayMeet(i, range); i++) {
      TimeSpan indexed = indexed(i);
      if (meets(range, i, indexed) || logMeets(range, i)) {
        segments.add(
            new IndexSegment(
                milestones.offset(i),
                i < last ? milestones.offset(i + 1) : log.logBytes(),
                ascending ? earliest(around(i)) : earliestOf(indexed, i)));
      }
    }
    return segments;
  }

  /**
   * Returns whether any segment may meet the range, as far as the index shows. The log is not read.
   */
  boolean mayMeet(TimeRange range) {
    int first = firstThatMayMeet(range);
    return first < milestones.count() && mayMeet(first, range);
  }

  /**
   * Returns the first segment that does not end before the range by the index, or the number of
   * segments. If the times of the entries ascend, so do the begins and the ends of the segments, so
   * that the segments that may meet the range follow each other from this one.
   */
  private int firstThatMayMeet(TimeRange range) {
    int low = 0;
    int high = ascending ? milestones.count() : 0;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (reach(middle, around(middle)).toNanos() < range.fromNanos()) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Returns whether a segment may meet the range, as far as the index shows. The log is not read.
   */
  boolean mayMeet(int i, TimeRange range) {
    return !ascending || meets(range, i, around(i));
  }

  /** Returns the times between the milestones of a segment. The log may have lost the second. */
  private TimeSpan indexed(int i) {
    TimeSpan milestone = TimeSpan.at(milestones.nanos(i));
    return i < milestones.count() - 1
        ? milestone.and(milestones.nanos(i + 1))
        : milestone.and(log.lastSpan(milestone).fromNanos());
  }

  private TimeSpan around(int i) {
    return indexed(i)
        .and(milestones.nanos(Math.max(i - 1, 0)))
        .and(milestones.nanos(Math.min(i + 2, milestones.count() - 1)));
  }

  private boolean logMeets(TimeRange range, int i) throws IOException {
    MilestoneTimes looked = times;
    return looked == null || meets(range, i, times(i, looked));
  }

  private long earliestOf(TimeSpan indexed, int i) throws IOException {
    MilestoneTimes looked = times;
    return looked == null ? Long.MIN_VALUE : earliest(indexed.and(times(i, looked)));
  }

  private boolean meets(TimeRange range, int i, TimeSpan milestoneTimes) {
    TimeSpan span = reach(i, milestoneTimes);
    return range.meets(span.fromNanos(), span.toNanos());
  }

  /** Returns the times that events of a segment can have whose milestones have these times. */
  private TimeSpan reach(int i, TimeSpan milestoneTimes) {
    TimeSpan span = milestoneTimes;
    if (i == milestones.count() - 1) {
      // Milestones without index entries may follow, up to the begin of the next pair.
      span = span.and(Math.max(span.toNanos(), log.pair().endNanos())).plusTo(STAMP_NANOS);
      span = log.lastSpan(span);
    }
    return span.widened(log.disorderBoundNanos());
  }

  private long earliest(TimeSpan milestoneTimes) {
    return milestoneTimes.widened(log.disorderBoundNanos()).fromNanos();
  }

  /** Returns the span by the headers if they can be read, otherwise by the index alone. */
  private TimeSpan times(int i, MilestoneTimes looked) throws IOException {
    int header = log.layout().eventHeaderBytes();
    int next = Math.min(i + 1, milestones.count() - 1);
    if (!log.source().has(milestones.offset(i), header)
        || !log.source().has(milestones.offset(next), header)) {
      return TimeSpan.at(milestones.nanos(i)).and(milestones.nanos(next));
    }
    return looked.of(i).and(looked.of(next));
  }
}
