package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

  /** A pair's stamp is its begin, cut to seconds. */
  private static final long STAMP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PairLog log;
  private final Milestones milestones;
  private final @Nullable MilestoneTimes times;

  /**
   * @param times by index and log; null if the log is not to be read: then every segment is chosen
   *     that would have to be looked at
   */
  SegmentPlanner(PairLog log, @Nullable MilestoneTimes times) {
    this.log = log;
    this.milestones = log.milestones();
    this.times = times;
  }

  List<IndexSegment> meeting(TimeRange range) throws IOException {
    int last = milestones.count() - 1;
    List<IndexSegment> segments = new ArrayList<>();
    for (int i = 0; i <= last; i++) {
      Span indexed = indexed(i);
      if (meets(range, i, indexed) || mayMeet(i, range) && logMeets(range, i)) {
        segments.add(
            new IndexSegment(
                milestones.offset(i),
                i < last ? milestones.offset(i + 1) : log.logBytes(),
                milestones.isAscending() ? earliest(around(i)) : earliestOf(indexed, i)));
      }
    }
    return segments;
  }

  /** Whether the index does not rule a segment out, whatever the log says. */
  boolean mayMeet(int i, TimeRange range) {
    return !milestones.isAscending() || meets(range, i, around(i));
  }

  private Span indexed(int i) {
    return Span.at(milestones.nanos(i))
        .and(milestones.nanos(Math.min(i + 1, milestones.count() - 1)));
  }

  private Span around(int i) {
    return indexed(i)
        .and(milestones.nanos(Math.max(i - 1, 0)))
        .and(milestones.nanos(Math.min(i + 2, milestones.count() - 1)));
  }

  private boolean logMeets(TimeRange range, int i) throws IOException {
    MilestoneTimes looked = times;
    return looked == null || meets(range, i, times(i, looked));
  }

  private long earliestOf(Span indexed, int i) throws IOException {
    MilestoneTimes looked = times;
    return looked == null ? Long.MIN_VALUE : earliest(indexed.and(times(i, looked)));
  }

  private boolean meets(TimeRange range, int i, Span milestoneTimes) {
    Span span = milestoneTimes;
    if (i == milestones.count() - 1) {
      // Milestones that the index does not know may follow, up to where the next pair begins.
      span = span.and(Math.max(span.toNanos(), log.pair().endNanos())).plusTo(STAMP_NANOS);
      span = log.lastSpan(span);
    }
    span = span.widened(log.disorderBoundNanos());
    return range.meets(span.fromNanos(), span.toNanos());
  }

  private long earliest(Span milestoneTimes) {
    return milestoneTimes.widened(log.disorderBoundNanos()).fromNanos();
  }

  /** By the headers, where they can be read; else by the index alone. */
  private Span times(int i, MilestoneTimes looked) throws IOException {
    int header = log.layout().eventHeaderBytes();
    int next = Math.min(i + 1, milestones.count() - 1);
    if (!log.source().has(milestones.offset(i), header)
        || !log.source().has(milestones.offset(next), header)) {
      return Span.at(milestones.nanos(i)).and(milestones.nanos(next));
    }
    return looked.of(i).and(looked.of(next));
  }
}
