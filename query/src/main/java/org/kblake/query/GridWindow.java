package org.kblake.query;

/**
 * The points of a grid that are worked on at a time, and the times behind the point before them, up
 * to the last of them.
 *
 * @param query the grid
 * @param firstPoint counted from 0; the number of points behind the last one
 * @param lastPoint included; the number of points behind the last one
 */
record GridWindow(GridQuery query, long firstPoint, long lastPoint) {

  /** The first point that is not earlier than a time; the number of points if there is none. */
  long pointOf(long nanos) {
    if (nanos <= query.startNanos()) {
      return 0;
    }
    long before = Long.divideUnsigned(nanos - query.startNanos() - 1, query.stepNanos());
    return Long.compareUnsigned(before, query.points() - 1) >= 0 ? query.points() : before + 1;
  }

  /** The latest time whose {@link #pointOf} is below a point. */
  long lastNanosBefore(long point) {
    if (point <= 0) {
      return Long.MIN_VALUE;
    }
    return point > query.points() ? Long.MAX_VALUE : query.pointNanos(point - 1);
  }

  /** Events up to this time belong to the window's points or earlier ones. */
  long lastNanos() {
    return lastPoint < query.points() ? query.pointNanos(lastPoint) : query.range().toNanos() - 1;
  }

  /** The earliest time of a connection event of this window. */
  long firstConnectionNanos() {
    return firstPoint == 0 ? query.startNanos() : query.pointNanos(firstPoint - 1) + 1;
  }

  /**
   * The latest time of a connection event that is wanted in this window; earlier than the first if
   * none.
   */
  long lastConnectionNanos() {
    return query.hasConnections()
        ? Math.min(lastNanos(), query.connectionsToNanos() - 1)
        : Long.MIN_VALUE;
  }
}
