package org.kblake.query.internal.trend;

import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.rollup.RollupRanges;
import org.kblake.query.question.TrendQuery;

/**
 * The bins that are filled at a time.
 *
 * @param fromNanos the begin of the first bin
 * @param toNanos the end of the last bin, not included
 * @param stepNanos the width of each bin; the last one may be narrower
 * @param bins the number of bins
 */
public record TrendWindow(long fromNanos, long toNanos, long stepNanos, int bins) {

  /** Returns a window of a question. */
  public static TrendWindow of(TrendQuery query, long firstBin, int bins) {
    return new TrendWindow(
        query.binNanos(firstBin), query.binEndNanos(firstBin + bins - 1), query.stepNanos(), bins);
  }

  TimeRange range() {
    return new TimeRange(fromNanos, toNanos);
  }

  RollupRanges.Bins rollupBins() {
    return new RollupRanges.Bins(fromNanos, toNanos, stepNanos);
  }

  boolean contains(long nanos) {
    return fromNanos <= nanos && nanos < toNanos;
  }

  /** Returns the bin of a time in the window. */
  int binOf(long nanos) {
    return (int) Long.divideUnsigned(nanos - fromNanos, stepNanos);
  }

  long binNanos(int bin) {
    return fromNanos + bin * stepNanos;
  }

  long binEndNanos(int bin) {
    return Math.min(toNanos, EpochNanos.plus(binNanos(bin), stepNanos));
  }
}
