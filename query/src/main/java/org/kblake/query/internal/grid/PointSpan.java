package org.kblake.query.internal.grid;

import org.kblake.query.question.GridQuery;

/**
 * The times from which on events count at one and the same point of a grid: behind the point before
 * it, up to the point itself. Goes from event to event; a division is needed only where two that
 * follow each other are more than a point apart. Reusable, not thread safe.
 */
final class PointSpan {

  private final GridQuery query;
  private final long startNanos;
  private final long stepNanos;
  private long afterNanos = Long.MIN_VALUE;
  private long atNanos;

  PointSpan(GridQuery query) {
    this.query = query;
    startNanos = query.startNanos();
    stepNanos = query.stepNanos();
    atNanos = startNanos;
  }

  /**
   * Goes to the first point that is not earlier than a time.
   *
   * @param nanos not later than the last point
   */
  void goTo(long nanos) {
    if (nanos > atNanos) {
      boolean isNext = Long.compareUnsigned(nanos - atNanos, stepNanos) <= 0;
      set(isNext ? atNanos + stepNanos : query.pointNanos(query.pointFrom(nanos)));
    } else if (nanos <= afterNanos) {
      boolean isBefore = Long.compareUnsigned(afterNanos - nanos, stepNanos) < 0;
      set(isBefore ? afterNanos : query.pointNanos(query.pointFrom(nanos)));
    }
  }

  private void set(long newNanos) {
    atNanos = newNanos;
    afterNanos = newNanos == startNanos ? Long.MIN_VALUE : newNanos - stepNanos;
  }

  /** Events up to this time count at earlier points; {@link Long#MIN_VALUE} at the first point. */
  long afterNanos() {
    return afterNanos;
  }

  /** The point's own time: later events count at later points only. */
  long atNanos() {
    return atNanos;
  }
}
