package org.kblake.server.internal.appliance.operator;

import org.kblake.core.model.TimeRange;
import org.kblake.server.internal.appliance.request.RequestRange;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * The bins of a range. Bin n has the times [n * width, (n + 1) * width) that are in the range, both
 * of whose ends are included.
 *
 * @param range the range
 * @param widthNanos the width
 * @param first the bin of the range's begin
 * @param last the bin of the range's end
 */
record BinGrid(RequestRange range, long widthNanos, long first, long last) {

  private static final long SECOND = 1_000_000_000L;
  private static final long MAX_BINS = 40_000_000;

  /**
   * @throws HttpStatusException if there are too many bins
   */
  static BinGrid of(RequestRange range, int seconds) {
    long width = seconds * SECOND;
    long first = Math.floorDiv(range.fromNanos(), width);
    long last = Math.floorDiv(range.toNanos(), width);
    if (last - first >= MAX_BINS) {
      throw HttpStatusException.wrong(
          "pv",
          "the range has "
              + (last - first + 1)
              + " bins of "
              + seconds
              + " s, and at most "
              + MAX_BINS
              + " are answered; ask for wider bins or a shorter range");
    }
    try {
      Math.multiplyExact(first - 1, width);
      Math.multiplyExact(last + 2, width);
    } catch (ArithmeticException e) {
      throw HttpStatusException.wrong(
          "pv", "the bins of " + seconds + " s are outside of 1677 to 2262; ask for narrower bins");
    }
    return new BinGrid(range, width, first, last);
  }

  /** Returns the times of some bins that are in the range. */
  TimeRange times(long fromBin, long toBin) {
    return new TimeRange(
        Math.max(range.fromNanos(), fromBin * widthNanos),
        Math.min(range.toNanos() + 1, toBin * widthNanos));
  }

  /** Returns the time of a bin's sample: the middle of the bin. */
  long middleNanos(long bin) {
    return bin * widthNanos + widthNanos / 2;
  }

  /** Returns the bin of a time. */
  long bin(long nanos) {
    return Math.floorDiv(nanos, widthNanos);
  }
}
