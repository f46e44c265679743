package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * A question about the values that channels held at points of time: at start, start + step, start +
 * 2 step, and so on up to end, or at given instants. Immutable; each method returns a changed copy.
 *
 * @param channels the channels
 * @param startNanos the first point, nanoseconds since 1970 UTC
 * @param endNanos no point is later; it is a point if it is a whole number of steps after the start
 * @param stepNanos the time from one point to the next, at least 1
 * @param lookBackNanos the greatest age of a value; an older value is not known at a point
 * @param source the source of the answer
 * @param connectionsToNanos the end of the connection events, which begin at the start; not
 *     included; {@link Long#MIN_VALUE} for none
 * @param allowIncomplete whether values are returned that may be outdated, because a log cannot be
 *     read
 * @param instants the points, ascending and different, nanoseconds since 1970 UTC; the first is the
 *     start and the last one the end. Empty for points that are a step apart.
 * @param nullInGaps whether a point has no value where it is not known
 */
public record GridQuery(
    ChannelSelection channels,
    long startNanos,
    long endNanos,
    long stepNanos,
    long lookBackNanos,
    Source source,
    long connectionsToNanos,
    boolean allowIncomplete,
    List<Long> instants,
    boolean nullInGaps) {

  public GridQuery {
    instants = List.copyOf(instants);
    for (int i = 1; i < instants.size(); i++) {
      if (instants.get(i) <= instants.get(i - 1)) {
        throw new IllegalArgumentException(
            "instants do not ascend: " + instants.get(i - 1) + ", " + instants.get(i));
      }
    }
    if (!instants.isEmpty()
        && (instants.get(0) != startNanos || instants.get(instants.size() - 1) != endNanos)) {
      throw new IllegalArgumentException("instants do not begin at the start and end at the end");
    }
    if (endNanos < startNanos) {
      throw new IllegalArgumentException(
          "grid ends before it starts: start="
              + EpochNanos.instant(startNanos)
              + ", end="
              + EpochNanos.instant(endNanos));
    }
    if (stepNanos < 1) {
      throw new IllegalArgumentException("step must be at least 1: nanos=" + stepNanos);
    }
    if (lookBackNanos < 0) {
      throw new IllegalArgumentException("look-back is negative: nanos=" + lookBackNanos);
    }
  }

  /** A question about points that are a step apart. */
  public GridQuery(
      ChannelSelection channels,
      long startNanos,
      long endNanos,
      long stepNanos,
      long lookBackNanos,
      Source source,
      long connectionsToNanos,
      boolean allowIncomplete) {
    this(
        channels,
        startNanos,
        endNanos,
        stepNanos,
        lookBackNanos,
        source,
        connectionsToNanos,
        allowIncomplete,
        List.of(),
        false);
  }

  /**
   * Returns a question about given instants, with {@link HeldQuery#DEFAULT_LOOK_BACK}.
   *
   * @param instants at least one, ascending and different, nanoseconds since 1970 UTC
   */
  public static GridQuery at(ChannelSelection channels, List<Long> instants) {
    return new GridQuery(
        channels,
        instants.get(0),
        instants.get(instants.size() - 1),
        1,
        HeldQuery.DEFAULT_LOOK_BACK.toNanos(),
        Source.AUTO,
        Long.MIN_VALUE,
        false,
        instants,
        false);
  }

  /** Returns a grid with both ends included, and {@link HeldQuery#DEFAULT_LOOK_BACK}. */
  public static GridQuery of(ChannelSelection channels, Instant start, Instant end, Duration step) {
    return new GridQuery(
        channels,
        EpochNanos.of(start),
        EpochNanos.of(end),
        EpochNanos.of(step),
        HeldQuery.DEFAULT_LOOK_BACK.toNanos(),
        Source.AUTO,
        Long.MIN_VALUE,
        false);
  }

  /** Sets the first and the last time, both included, of points that are a step apart. */
  public GridQuery between(TimeRange range) {
    return new GridQuery(
        channels,
        range.fromNanos(),
        range.toNanos(),
        stepNanos,
        lookBackNanos,
        source,
        connectionsToNanos,
        allowIncomplete,
        List.of(),
        nullInGaps);
  }

  /**
   * Sets whether a point has no value where the channel was disconnected or not recorded, kblog was
   * down, or the log cannot be read.
   */
  public GridQuery nullInGaps(boolean newNullInGaps) {
    return new GridQuery(
        channels,
        startNanos,
        endNanos,
        stepNanos,
        lookBackNanos,
        source,
        connectionsToNanos,
        allowIncomplete,
        instants,
        newNullInGaps);
  }

  /** Sets the greatest age of a value. */
  public GridQuery lookBack(Duration duration) {
    return with(EpochNanos.of(duration), source, connectionsToNanos, allowIncomplete);
  }

  /** Sets the source of the answer. */
  public GridQuery from(Source newSource) {
    return with(lookBackNanos, newSource, connectionsToNanos, allowIncomplete);
  }

  /** Adds the connection events from the start to a time, not included, in the same pass. */
  public GridQuery withConnectionsTo(Instant to) {
    return with(lookBackNanos, source, EpochNanos.of(to), allowIncomplete);
  }

  /**
   * Allows an answer whose values may be outdated: it is returned without an exception. Its
   * coverage lists the missing spans.
   */
  public GridQuery allowingIncomplete() {
    return with(lookBackNanos, source, connectionsToNanos, true);
  }

  private GridQuery with(
      long newLookBack, Source newSource, long newConnectionsTo, boolean newAllow) {
    return new GridQuery(
        channels,
        startNanos,
        endNanos,
        stepNanos,
        newLookBack,
        newSource,
        newConnectionsTo,
        newAllow,
        instants,
        nullInGaps);
  }

  /** Returns the number of points. */
  public long points() {
    return instants.isEmpty()
        ? Math.addExact(Long.divideUnsigned(endNanos - startNanos, stepNanos), 1)
        : instants.size();
  }

  /** Returns the time of a point, counted from 0. */
  public long pointNanos(long point) {
    return instants.isEmpty() ? startNanos + point * stepNanos : instants.get((int) point);
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
    return nanos <= startNanos ? 0 : Long.divideUnsigned(nanos - startNanos - 1, stepNanos) + 1;
  }

  /** Returns the time of the last point. */
  public long lastPointNanos() {
    return pointNanos(points() - 1);
  }

  /** Returns the earliest time of an event that counts at a point. */
  public long oldestNanos(long point) {
    return EpochNanos.minus(pointNanos(point), lookBackNanos);
  }

  /** Returns whether connection events are included. */
  public boolean hasConnections() {
    return connectionsToNanos > startNanos;
  }

  /**
   * Returns the times from the first point to the last one, or to the end of the connection events.
   */
  public TimeRange range() {
    return new TimeRange(startNanos, Math.max(EpochNanos.plus(endNanos, 1), connectionsToNanos));
  }

  /** Returns the question about the first point alone. */
  public HeldQuery atStart() {
    return new HeldQuery(channels, startNanos, lookBackNanos, source, allowIncomplete);
  }

  @Override
  public String toString() {
    return channels
        + " from "
        + EpochNanos.instant(startNanos)
        + " to "
        + EpochNanos.instant(endNanos)
        + (instants.isEmpty()
            ? " every " + Duration.ofNanos(stepNanos)
            : " at " + instants.size() + " instants");
  }
}
