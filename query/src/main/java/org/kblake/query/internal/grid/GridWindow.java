package org.kblake.query.internal.grid;

import org.kblake.query.question.GridQuery;

/**
 * The points of a grid that are processed at a time, and their times: after the previous point, up
 * to the last of them.
 */
final class GridWindow {

  private final long afterNanos;
  private final long lastValueNanos;
  private final long lastNanos;
  private final long firstConnectionNanos;
  private final long lastConnectionNanos;
  private final long firstStateNanos;
  private final long lastStateNanos;

  /**
   * @param firstPoint the first point, counted from 0; the number of points for the window after
   *     the last point
   * @param lastPoint the last point, included; the number of points for the window after the last
   *     point
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
    boolean hasStates = query.nullInGaps();
    firstStateNanos = hasStates && isFirst ? Long.MIN_VALUE : firstConnectionNanos;
    lastStateNanos =
        hasStates ? Math.max(lastConnectionNanos, lastValueNanos) : lastConnectionNanos;
  }

  /**
   * Returns the earliest time of a connection event that is needed: that of a window's connection
   * events, and for the first point all times if the states of channels are needed.
   */
  long firstStateNanos() {
    return firstStateNanos;
  }

  /** Returns the latest time of a connection event that is needed. */
  long lastStateNanos() {
    return lastStateNanos;
  }

  /**
   * Returns the time up to which value events count at earlier points; {@link Long#MIN_VALUE} for
   * the first point.
   */
  long afterNanos() {
    return afterNanos;
  }

  /** Returns the time after which value events count only at later points, or at none. */
  long lastValueNanos() {
    return lastValueNanos;
  }

  /** Returns the time up to which events belong to the window's points or earlier ones. */
  long lastNanos() {
    return lastNanos;
  }

  /** Returns the earliest time of a connection event of this window. */
  long firstConnectionNanos() {
    return firstConnectionNanos;
  }

  /**
   * Returns the latest time of a connection event of this window; earlier than the first if there
   * is none.
   */
  long lastConnectionNanos() {
    return lastConnectionNanos;
  }
}
