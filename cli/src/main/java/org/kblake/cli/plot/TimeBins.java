package org.kblake.cli.plot;

import org.kblake.core.model.TimeRange;

/**
 * Bins of equal width that divide a range. The last one may end behind the range.
 *
 * @param range the range, not empty
 * @param stepNanos the width of a bin, at least 1
 * @param count the number of bins
 */
record TimeBins(TimeRange range, long stepNanos, int count) {

  /**
   * Returns at most a number of bins.
   *
   * @throws IllegalArgumentException if the range is empty, or longer than 292 years
   */
  static TimeBins of(TimeRange range, int most) {
    long nanos = range.toNanos() - range.fromNanos();
    if (nanos <= 0) {
      throw new IllegalArgumentException("the range is empty, or longer than 292 years: " + range);
    }
    long step = (nanos - 1) / most + 1;
    return new TimeBins(range, step, (int) ((nanos - 1) / step) + 1);
  }

  /** Returns the bin of a time of the range. */
  int binOf(long nanos) {
    return (int) ((nanos - range.fromNanos()) / stepNanos);
  }

  /** Returns the begin of a bin. */
  long beginNanos(int bin) {
    return range.fromNanos() + bin * stepNanos;
  }

  /** Returns the end of a bin, not included and at most that of the range. */
  long endNanos(int bin) {
    return bin == count - 1 ? range.toNanos() : beginNanos(bin + 1);
  }

  /** Returns the position of a bin's begin: 0 at the begin of the range, 1 at its end. */
  double share(double bin) {
    return Math.min(1, bin * stepNanos / (range.toNanos() - range.fromNanos()));
  }
}
