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

  /**
   * Value events up to this time count at earlier points already; {@link Long#MIN_VALUE} at the
   * first point.
   */
  long afterNanos() {
    return firstPoint == 0 ? Long.MIN_VALUE : query.pointNanos(firstPoint - 1);
  }

  /** Value events behind this time count at later points only, or at none. */
  long lastValueNanos() {
    return query.pointNanos(Math.min(lastPoint, query.points() - 1));
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
