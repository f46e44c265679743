package org.kblake.query.internal.grid;

import org.kblake.query.question.GridQuery;

/**
 * The times of events that count first at the same point of a grid: after the previous point, up to
 * the point itself. It moves from event to event. It divides only if two events are more than a
 * step apart. Reusable, not thread safe.
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
   * Moves to the first point that is not earlier than a time.
   *
   * @param nanos a time that is not later than the last point
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

  /**
   * Returns the time up to which events count at earlier points; {@link Long#MIN_VALUE} for the
   * first point.
   */
  long afterNanos() {
    return afterNanos;
  }

  /** Returns the point's own time. Later events count only at later points. */
  long atNanos() {
    return atNanos;
  }
}
