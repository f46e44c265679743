package org.kblake.core.internal.parquet.page;

import org.kblake.core.columns.EventColumns;

/** The earliest and latest time of rows that are not strays. */
public final class PageTimes {

  private PageTimes() {}

  /** Returns the earliest time, or {@link Long#MAX_VALUE} if all rows are strays. */
  public static long min(EventColumns rows, int from, int to) {
    long min = Long.MAX_VALUE;
    for (int row = from; row < to; row++) {
      min = rows.stray[row] == 0 ? Math.min(min, rows.timeNanos[row]) : min;
    }
    return min;
  }

  /** Returns the latest time, or {@link Long#MIN_VALUE} if all rows are strays. */
  public static long max(EventColumns rows, int from, int to) {
    long max = Long.MIN_VALUE;
    for (int row = from; row < to; row++) {
      max = rows.stray[row] == 0 ? Math.max(max, rows.timeNanos[row]) : max;
    }
    return max;
  }
}
