package org.kblake.cli.command.coverage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * Finds the times of a stretch in a block from its segments, as the coverage report of an answer
 * does: the archiver was down if nothing was written for more than two milestone intervals.
 */
final class StoredTimes {

  private static final long UNKNOWN_INTERVAL_NANOS = TimeUnit.HOURS.toNanos(1);

  private final List<StoredSegment> segments;
  private final long boundNanos;
  private final long silenceNanos;
  private final List<StateSpan> written = new ArrayList<>();
  private final List<StateSpan> damaged = new ArrayList<>();

  /** The open span of writes. */
  private long fromNanos = Long.MAX_VALUE;

  private long toNanos = Long.MIN_VALUE;

  /**
   * @param segments the segments of the stretch, at least one
   * @param boundNanos the archive's disorder bound
   */
  private StoredTimes(List<StoredSegment> segments, long boundNanos) {
    this.segments = segments;
    this.boundNanos = boundNanos;
    silenceNanos = 2 * intervalNanos(segments);
  }

  static StoredPart of(Block block, int stretch, List<StoredSegment> segments, long boundNanos) {
    return new StoredTimes(segments, boundNanos).part(block, stretch);
  }

  /** Returns the median of the intervals between milestones; one hour if it is unknown. */
  private static long intervalNanos(List<StoredSegment> segments) {
    long[] intervals = new long[segments.size() - 1];
    for (int i = 0; i < intervals.length; i++) {
      intervals[i] = segments.get(i + 1).milestoneNanos() - segments.get(i).milestoneNanos();
    }
    Arrays.sort(intervals);
    int middle = intervals.length / 2;
    long median =
        intervals.length == 0
            ? 0
            : intervals.length % 2 == 1
                ? intervals[middle]
                : Math.floorDiv(intervals[middle - 1] + intervals[middle], 2);
    return median > 0 ? median : UNKNOWN_INTERVAL_NANOS;
  }

  private StoredPart part(Block block, int stretch) {
    for (int i = 0; i < segments.size(); i++) {
      add(segments.get(i), i == segments.size() - 1);
    }
    close();
    StoredSegment last = segments.get(segments.size() - 1);
    return new StoredPart(
        block,
        stretch,
        segments.get(0).milestoneNanos(),
        events(last),
        known(last),
        silenceNanos,
        written,
        damaged);
  }

  /** Returns the time of the last write that is known from a segment itself. */
  private static long events(StoredSegment segment) {
    return Math.max(segment.milestoneNanos(), segment.lastNanos());
  }

  /** Returns the time up to which the log is known after a segment that another one follows. */
  private long known(StoredSegment segment) {
    return Math.max(events(segment), EpochNanos.minus(segment.spanToNanos(), boundNanos));
  }

  private void add(StoredSegment segment, boolean last) {
    long from = segment.milestoneNanos();
    long to = last ? events(segment) : known(segment);
    long first = segment.firstNanos() == Long.MAX_VALUE ? to : segment.firstNanos();
    if (EpochNanos.minus(first, from) > silenceNanos) {
      write(from, from);
      from = first;
    }
    long lastNanos = Math.max(from, segment.lastNanos());
    write(from, EpochNanos.minus(to, lastNanos) > silenceNanos ? lastNanos : to);
    if (segment.damagedBytes() > 0) {
      damaged.add(
          new StateSpan(
              LogState.DAMAGED,
              new TimeRange(
                  segment.spanFromNanos(),
                  Math.max(segment.spanFromNanos(), EpochNanos.plus(segment.spanToNanos(), 1)))));
    }
  }

  private void write(long from, long to) {
    if (from < fromNanos || from > toNanos) {
      close();
      fromNanos = from;
      toNanos = from;
    }
    toNanos = Math.max(toNanos, to);
  }

  private void close() {
    if (fromNanos < toNanos) {
      written.add(new StateSpan(LogState.COLUMNS, new TimeRange(fromNanos, toNanos)));
    }
  }
}
