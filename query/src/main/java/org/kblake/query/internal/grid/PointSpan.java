package org.kblake.query.internal.grid;

import org.kblake.query.question.GridQuery;

/**
 * The times of events that count first at the same point of a grid: after the previous point, up to
 * the point itself. It moves from event to event. It searches the point only if that is not the
 * next one or the one before. Reusable, not thread safe.
 */
final class PointSpan {

  private final GridQuery query;
  private final long points;
  private long point;
  private long afterNanos = Long.MIN_VALUE;
  private long atNanos;

  PointSpan(GridQuery query) {
    this.query = query;
    points = query.points();
    atNanos = query.pointNanos(0);
  }

  /**
   * Moves to the first point that is not earlier than a time.
   *
   * @param nanos a time that is not later than the last point
   */
  void goTo(long nanos) {
    if (nanos > atNanos) {
      boolean isNext = point + 1 < points && nanos <= query.pointNanos(point + 1);
      set(isNext ? point + 1 : query.pointFrom(nanos));
    } else if (nanos <= afterNanos) {
      boolean isBefore = point < 2 || nanos > query.pointNanos(point - 2);
      set(isBefore ? point - 1 : query.pointFrom(nanos));
    }
  }

  private void set(long newPoint) {
    point = newPoint;
    atNanos = query.pointNanos(point);
    afterNanos = point == 0 ? Long.MIN_VALUE : query.pointNanos(point - 1);
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
