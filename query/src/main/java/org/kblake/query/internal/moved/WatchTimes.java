package org.kblake.query.internal.moved;

import org.kblake.query.question.MovedQuery;

/**
 * The times of a baseline and of the window after it.
 *
 * @param fromNanos the begin of the baseline
 * @param windowNanos the begin of the window
 * @param toNanos the end of the window
 * @param binNanos the width of the bins in which events are counted; bin 0 begins with the window
 */
record WatchTimes(long fromNanos, long windowNanos, long toNanos, long binNanos) {

  static WatchTimes of(MovedQuery query) {
    return new WatchTimes(
        query.range().fromNanos(),
        query.window().fromNanos(),
        query.window().toNanos(),
        EventCounts.width(query.baselineNanos()));
  }

  /** Returns the part of the baseline that a time is in. */
  int block(long nanos) {
    double share = (double) (nanos - fromNanos) / (windowNanos - fromNanos);
    return Math.max(0, Math.min(Habit.BLOCKS - 1, (int) (share * Habit.BLOCKS)));
  }

  long bin(long nanos) {
    return Math.floorDiv(nanos - windowNanos, binNanos);
  }

  double binsOfBlock() {
    return (double) (windowNanos - fromNanos) / binNanos / Habit.BLOCKS;
  }
}
