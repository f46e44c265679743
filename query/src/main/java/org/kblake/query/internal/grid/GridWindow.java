package org.kblake.query.internal.grid;

import org.kblake.query.question.GridQuery;

/**
 * The points of a grid that are worked on at a time, and the times behind the point before them, up
 * to the last of them.
 */
final class GridWindow {

  private final long afterNanos;
  private final long lastValueNanos;
  private final long lastNanos;
  private final long firstConnectionNanos;
  private final long lastConnectionNanos;

  /**
   * @param firstPoint counted from 0; the number of points behind the last one
   * @param lastPoint included; the number of points behind the last one
   */
  GridWindow(GridQuery query, long firstPoint, long lastPoint) {
    long points = query.points();
    boolean isFirst = firstPoint == 0;
    afterNanos = isFirst ? Long.MIN_VALUE : query.pointNanos(firstPoint - 1);
    lastValueNanos = query.pointNanos(Math.min(lastPoint, points - 1));
    lastNanos = lastPoint < points ? lastValueNanos : query.range().toNanos() - 1;
    firstConnectionNanos = isFirst ? query.startNanos() : afterNanos + 1;
    lastConnectionNanos =
        query.hasConnections()
            ? Math.min(lastNanos, query.connectionsToNanos() - 1)
            : Long.MIN_VALUE;
  }

  /**
   * Value events up to this time count at earlier points already; {@link Long#MIN_VALUE} at the
   * first point.
   */
  long afterNanos() {
    return afterNanos;
  }

  /** Value events behind this time count at later points only, or at none. */
  long lastValueNanos() {
    return lastValueNanos;
  }

  /** Events up to this time belong to the window's points or earlier ones. */
  long lastNanos() {
    return lastNanos;
  }

  /** The earliest time of a connection event of this window. */
  long firstConnectionNanos() {
    return firstConnectionNanos;
  }

  /**
   * The latest time of a connection event that is wanted in this window; earlier than the first if
   * none.
   */
  long lastConnectionNanos() {
    return lastConnectionNanos;
  }
}
