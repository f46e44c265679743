package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * A question about the values that channels held at points of time: at start, start + step, start +
 * 2 step, and so on up to end, or at given instants. Immutable; each method returns a changed copy.
 *
 * @param scope the channels; the range begins with the first point, and ends after the time at or
 *     before which the last one is
 * @param stepNanos the time from one point to the next, at least 1
 * @param instants the points, ascending and different, nanoseconds since 1970 UTC; the first is the
 *     start and the last one the end. Empty for points that are a step apart.
 * @param connectionsToNanos the end of the connection events, which begin at the start; not
 *     included; {@link Long#MIN_VALUE} for none
 * @param nullInGaps whether a point has no value where it is not known
 */
public record GridQuery(
    Scope scope, long stepNanos, List<Long> instants, long connectionsToNanos, boolean nullInGaps)
    implements Question<GridQuery> {

  public GridQuery {
    instants = List.copyOf(instants);
    for (int i = 1; i < instants.size(); i++) {
      if (instants.get(i) <= instants.get(i - 1)) {
        throw new IllegalArgumentException(
            "instants do not ascend: " + instants.get(i - 1) + ", " + instants.get(i));
      }
    }
    if (!instants.isEmpty()
        && !scope.range().equals(points(instants.get(0), instants.get(instants.size() - 1)))) {
      throw new IllegalArgumentException("instants do not begin at the start and end at the end");
    }
    if (scope.range().fromNanos() == scope.range().toNanos()) {
      throw new IllegalArgumentException("grid has no point: range=" + scope.range());
    }
    if (stepNanos < 1) {
      throw new IllegalArgumentException("step must be at least 1: nanos=" + stepNanos);
    }
  }

  /**
   * Returns a question about given instants, with {@link HeldQuery#DEFAULT_LOOK_BACK}.
   *
   * @param instants at least one, ascending and different, nanoseconds since 1970 UTC
   */
  public static GridQuery at(ChannelSelection channels, List<Long> instants) {
    TimeRange points = points(instants.get(0), instants.get(instants.size() - 1));
    return new GridQuery(Scope.of(channels).between(points), 1, instants, Long.MIN_VALUE, false);
  }

  /** Returns a grid with both ends included, and {@link HeldQuery#DEFAULT_LOOK_BACK}. */
  public static GridQuery of(ChannelSelection channels, Instant start, Instant end, Duration step) {
    return of(channels, EpochNanos.of(start), EpochNanos.of(end), EpochNanos.of(step));
  }

  /** Returns the same grid, whose times are in nanoseconds since 1970 UTC. */
  public static GridQuery of(
      ChannelSelection channels, long startNanos, long endNanos, long stepNanos) {
    Scope scope = Scope.of(channels).between(points(startNanos, endNanos));
    return new GridQuery(scope, stepNanos, List.of(), Long.MIN_VALUE, false);
  }

  private static TimeRange points(long startNanos, long endNanos) {
    if (endNanos < startNanos) {
      throw new IllegalArgumentException(
          "grid ends before it starts: start="
              + EpochNanos.instant(startNanos)
              + ", end="
              + EpochNanos.instant(endNanos));
    }
    return new TimeRange(startNanos, EpochNanos.plus(endNanos, 1));
  }

  @Override
  public GridQuery with(Scope newScope) {
    return new GridQuery(newScope, stepNanos, instants, connectionsToNanos, nullInGaps);
  }

  /** Sets the first and the last time, both included, of points that are a step apart. */
  public GridQuery between(TimeRange range) {
    return new GridQuery(
        scope.between(points(range.fromNanos(), range.toNanos())),
        stepNanos,
        List.of(),
        connectionsToNanos,
        nullInGaps);
  }

  /**
   * Sets whether a point has no value where the channel was disconnected or not recorded, kblog was
   * down, or the log cannot be read.
   */
  public GridQuery nullInGaps(boolean newNullInGaps) {
    return new GridQuery(scope, stepNanos, instants, connectionsToNanos, newNullInGaps);
  }

  /** Adds the connection events from the start to a time, not included, in the same pass. */
  public GridQuery withConnectionsTo(Instant to) {
    return new GridQuery(scope, stepNanos, instants, EpochNanos.of(to), nullInGaps);
  }

  /** Returns the first point, nanoseconds since 1970 UTC. */
  public long startNanos() {
    return scope.range().fromNanos();
  }

  /** Returns the time after which no point is, nanoseconds since 1970 UTC. */
  public long endNanos() {
    return scope.range().toNanos() - 1;
  }

  /** Returns the number of points. */
  public long points() {
    return instants.isEmpty()
        ? Math.addExact(Long.divideUnsigned(endNanos() - startNanos(), stepNanos), 1)
        : instants.size();
  }

  /** Returns the time of a point, counted from 0. */
  public long pointNanos(long point) {
    return instants.isEmpty() ? startNanos() + point * stepNanos : instants.get((int) point);
  }

  /**
   * Returns the first point that is not earlier than a time.
   *
   * @param nanos a time that is not later than the last point
   */
  public long pointFrom(long nanos) {
    if (!instants.isEmpty()) {
      int found = Collections.binarySearch(instants, nanos);
      return found < 0 ? -found - 1 : found;
    }
    return nanos <= startNanos() ? 0 : Long.divideUnsigned(nanos - startNanos() - 1, stepNanos) + 1;
  }

  /** Returns the time of the last point. */
  public long lastPointNanos() {
    return pointNanos(points() - 1);
  }

  /** Returns the earliest time of an event that counts at a point. */
  public long oldestNanos(long point) {
    return EpochNanos.minus(pointNanos(point), lookBackNanos());
  }

  /** Returns whether connection events are included. */
  public boolean hasConnections() {
    return connectionsToNanos > startNanos();
  }

  /**
   * Returns the times from the first point to the last one, or to the end of the connection events.
   */
  @Override
  public TimeRange range() {
    return new TimeRange(startNanos(), Math.max(scope.range().toNanos(), connectionsToNanos));
  }

  /** Returns the question about the first point alone. */
  public HeldQuery atStart() {
    return new HeldQuery(scope);
  }

  @Override
  public String toString() {
    return channels()
        + " from "
        + EpochNanos.instant(startNanos())
        + " to "
        + EpochNanos.instant(endNanos())
        + (instants.isEmpty()
            ? " every " + Duration.ofNanos(stepNanos)
            : " at " + instants.size() + " instants");
  }
}
