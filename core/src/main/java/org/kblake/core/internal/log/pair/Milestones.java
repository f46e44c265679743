package org.kblake.core.internal.log.pair;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.kblake.core.layout.LogLayout;

/**
 * The milestones of a log that have index entries, in log order. Offsets ascend strictly. Times
 * ascend nearly always. The first milestone is at offset 0, even if the index has no entry for it.
 */
public final class Milestones {

  private final long[] offsets;
  private final long[] nanos;
  private final boolean ascending;

  Milestones(long[] offsets, long[] nanos) {
    this.offsets = offsets;
    this.nanos = nanos;
    ascending = isAscending(nanos);
  }

  private static boolean isAscending(long[] nanos) {
    for (int i = 1; i < nanos.length; i++) {
      if (nanos[i] < nanos[i - 1]) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether no milestone has an earlier time in the index than the one before it. */
  boolean isAscending() {
    return ascending;
  }

  public int count() {
    return offsets.length;
  }

  /** Returns the log offset of a milestone. */
  public long offset(int i) {
    return offsets[i];
  }

  /** Returns the milestone's time in the index, nanoseconds since 1970 UTC. */
  public long nanos(int i) {
    return nanos[i];
  }

  /**
   * Returns the offset of the first milestone behind an offset, or the given end if there is none.
   */
  public long offsetAfter(long offset, long end) {
    int next = lastUpTo(offset) + 1;
    return next < offsets.length ? offsets[next] : end;
  }

  /** Returns the index of the milestone at an offset, or -1. */
  public int indexOfOffset(long offset) {
    int i = Arrays.binarySearch(offsets, offset);
    return i >= 0 ? i : -1;
  }

  /**
   * Returns the time of the milestone at an offset, or {@link LogLayout#IMPOSSIBLE_NANOS} if the
   * index has none there.
   */
  public long nanosAt(long offset) {
    int i = indexOfOffset(offset);
    return i < 0 ? LogLayout.IMPOSSIBLE_NANOS : nanos[i];
  }

  /** Returns the milestones in [fromOffset, toOffset) of the log. */
  Milestones within(long fromOffset, long toOffset) {
    int from = lastUpTo(fromOffset - 1) + 1;
    int to = Math.max(from, lastUpTo(toOffset - 1) + 1);
    return new Milestones(
        Arrays.copyOfRange(offsets, from, to), Arrays.copyOfRange(nanos, from, to));
  }

  /** Returns the index of the last milestone at or before an offset, or -1. */
  public int lastUpTo(long offset) {
    int i = Arrays.binarySearch(offsets, offset);
    return i >= 0 ? i : -i - 2;
  }

  /**
   * Returns the median of the intervals between milestones; one hour if there are fewer than two,
   * or the median is not positive.
   */
  static long medianIntervalNanos(long[] nanos) {
    if (nanos.length < 2) {
      return TimeUnit.HOURS.toNanos(1);
    }
    long[] intervals = new long[nanos.length - 1];
    for (int i = 0; i < intervals.length; i++) {
      intervals[i] = nanos[i + 1] - nanos[i];
    }
    Arrays.sort(intervals);
    int middle = intervals.length / 2;
    long median =
        intervals.length % 2 == 1
            ? intervals[middle]
            : Math.floorDiv(intervals[middle - 1] + intervals[middle], 2);
    return median > 0 ? median : TimeUnit.HOURS.toNanos(1);
  }
}
