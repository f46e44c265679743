package org.kblake.core.internal.log.pair;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The milestones of a log that its index knows, in log order: offsets ascend strictly, times nearly
 * always. The first one is at offset 0, even if the index does not know it.
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

  /** Whether no milestone is earlier than the one before it, as the index says their times. */
  boolean isAscending() {
    return ascending;
  }

  public int count() {
    return offsets.length;
  }

  /** Where the milestone begins in the log. */
  public long offset(int i) {
    return offsets[i];
  }

  /** The milestone's time as the index says it, nanoseconds since 1970 UTC. */
  public long nanos(int i) {
    return nanos[i];
  }

  /** Where the first milestone behind an offset begins, or the given end if there is none. */
  public long offsetAfter(long offset, long end) {
    int next = lastUpTo(offset) + 1;
    return next < offsets.length ? offsets[next] : end;
  }

  /** The milestone at an offset, or -1. */
  public int indexOfOffset(long offset) {
    int i = Arrays.binarySearch(offsets, offset);
    return i >= 0 ? i : -1;
  }

  /** The last milestone at or before an offset, or -1. */
  public int lastUpTo(long offset) {
    int i = Arrays.binarySearch(offsets, offset);
    return i >= 0 ? i : -i - 2;
  }

  /** Median of the intervals between milestones; one hour where there is but one. */
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
