package org.kblake.core.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.TimeRange;

/**
 * Chooses the segments of an index that a range of time needs.
 *
 * <p>An entry's time may be damaged, and it is the log that counts. As long as the entries ascend
 * in time, a wrong time lies between its neighbours', so only segments whose neighbours meet the
 * range are looked at in the log; otherwise all of them are.
 */
final class SegmentPlanner {

  private final PairLog log;
  private final Milestones milestones;
  private final @Nullable Boundaries boundaries;

  /**
   * @param boundaries of the whole log; null if the log is not to be looked at: then every segment
   *     is chosen that would have to be
   */
  SegmentPlanner(PairLog log, @Nullable Boundaries boundaries) {
    this.log = log;
    this.milestones = log.milestones();
    this.boundaries = boundaries;
  }

  List<IndexSegment> meeting(TimeRange range) throws IOException {
    boolean ascending = isAscending();
    int last = milestones.count() - 1;
    List<IndexSegment> segments = new ArrayList<>();
    for (int i = 0; i <= last; i++) {
      Span indexed = Span.at(milestones.nanos(i)).and(milestones.nanos(Math.min(i + 1, last)));
      Span around =
          indexed
              .and(milestones.nanos(Math.max(i - 1, 0)))
              .and(milestones.nanos(Math.min(i + 2, last)));
      if (meets(range, i, indexed)
          || (!ascending || meets(range, i, around)) && mayMeet(range, i)) {
        segments.add(
            new IndexSegment(
                milestones.offset(i),
                i < last ? milestones.offset(i + 1) : log.logBytes(),
                ascending ? earliest(around) : earliestOf(indexed, i)));
      }
    }
    return segments;
  }

  private boolean mayMeet(TimeRange range, int i) throws IOException {
    Boundaries looked = boundaries;
    return looked == null || meets(range, i, times(i, looked));
  }

  private long earliestOf(Span indexed, int i) throws IOException {
    Boundaries looked = boundaries;
    return looked == null ? Long.MIN_VALUE : earliest(indexed.and(times(i, looked)));
  }

  private boolean meets(TimeRange range, int i, Span milestoneTimes) {
    Span span = milestoneTimes;
    if (i == milestones.count() - 1) {
      // Milestones that the index does not know may follow, up to where the next pair begins.
      span = log.lastSpan(span);
      span = span.and(Math.max(span.toNanos(), log.pair().endNanos()));
    }
    span = span.widened(log.disorderBoundNanos());
    return range.meets(span.fromNanos(), span.toNanos());
  }

  private long earliest(Span milestoneTimes) {
    return milestoneTimes.widened(log.disorderBoundNanos()).fromNanos();
  }

  /** By the headers, where they can be read; else by the index alone. */
  private Span times(int i, Boundaries looked) throws IOException {
    int header = log.layout().eventHeaderBytes();
    int next = Math.min(i + 1, milestones.count() - 1);
    if (!log.place().has(milestones.offset(i), header)
        || !log.place().has(milestones.offset(next), header)) {
      return Span.at(milestones.nanos(i)).and(milestones.nanos(next));
    }
    Span times = looked.times(i);
    return looked.exists(i + 1) ? times.and(looked.times(i + 1)) : times;
  }

  private boolean isAscending() {
    for (int i = 1; i < milestones.count(); i++) {
      if (milestones.nanos(i) < milestones.nanos(i - 1)) {
        return false;
      }
    }
    return true;
  }
}
