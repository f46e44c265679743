package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * A question about the channels that left their own habit around an instant. Immutable; each method
 * returns a changed copy.
 *
 * @param channels the channels that are compared with their habit
 * @param atNanos the instant, nanoseconds since 1970 UTC
 * @param beforeNanos the length of the window before the instant, at least 0
 * @param afterNanos the length of the window from the instant on, at least 1
 * @param baselineNanos the time before the window that shows the habit, at least a minute
 * @param lookBackNanos the greatest age of a value that a channel held before the window, at least
 *     0
 * @param source the source of the answer
 * @param allowIncomplete whether an answer is returned of which movements may be missing, because a
 *     log cannot be read
 */
public record MovedQuery(
    ChannelSelection channels,
    long atNanos,
    long beforeNanos,
    long afterNanos,
    long baselineNanos,
    long lookBackNanos,
    Source source,
    boolean allowIncomplete) {

  private static final long MIN_BASELINE_NANOS = 60_000_000_000L;

  public MovedQuery {
    if (beforeNanos < 0 || afterNanos < 1) {
      throw new IllegalArgumentException(
          "the window is empty: before=" + beforeNanos + ", after=" + afterNanos);
    }
    if (baselineNanos < MIN_BASELINE_NANOS) {
      throw new IllegalArgumentException(
          "the baseline is shorter than a minute: nanos=" + baselineNanos);
    }
    if (lookBackNanos < 0) {
      throw new IllegalArgumentException("look-back is negative: nanos=" + lookBackNanos);
    }
    if (EpochNanos.minus(EpochNanos.minus(atNanos, beforeNanos), baselineNanos) == Long.MIN_VALUE
        || EpochNanos.plus(atNanos, afterNanos) == Long.MAX_VALUE) {
      throw new IllegalArgumentException("the window or the baseline is too long");
    }
  }

  /**
   * Returns a question about an instant: 30 s before it, 5 s after it, and an hour as the baseline.
   */
  public static MovedQuery of(ChannelSelection channels, Instant at) {
    return new MovedQuery(
        channels,
        EpochNanos.of(at),
        Duration.ofSeconds(30).toNanos(),
        Duration.ofSeconds(5).toNanos(),
        Duration.ofHours(1).toNanos(),
        HeldQuery.DEFAULT_LOOK_BACK.toNanos(),
        Source.AUTO,
        false);
  }

  /** Sets the lengths of the window before the instant, and from it on. */
  public MovedQuery window(Duration before, Duration after) {
    return new MovedQuery(
        channels,
        atNanos,
        EpochNanos.of(before),
        EpochNanos.of(after),
        baselineNanos,
        lookBackNanos,
        source,
        allowIncomplete);
  }

  /** Sets the length of the baseline, which ends where the window begins. */
  public MovedQuery baseline(Duration length) {
    return new MovedQuery(
        channels,
        atNanos,
        beforeNanos,
        afterNanos,
        EpochNanos.of(length),
        lookBackNanos,
        source,
        allowIncomplete);
  }

  /** Sets the greatest age of a value that a channel held before the window. */
  public MovedQuery lookBack(Duration duration) {
    return new MovedQuery(
        channels,
        atNanos,
        beforeNanos,
        afterNanos,
        baselineNanos,
        EpochNanos.of(duration),
        source,
        allowIncomplete);
  }

  /** Sets the source of the answer. */
  public MovedQuery from(Source newSource) {
    return new MovedQuery(
        channels,
        atNanos,
        beforeNanos,
        afterNanos,
        baselineNanos,
        lookBackNanos,
        newSource,
        allowIncomplete);
  }

  /** Allows an incomplete answer. Its coverage lists what is missing. */
  public MovedQuery allowingIncomplete() {
    return new MovedQuery(
        channels, atNanos, beforeNanos, afterNanos, baselineNanos, lookBackNanos, source, true);
  }

  /** Returns the times in which a channel may move. */
  public TimeRange window() {
    return new TimeRange(atNanos - beforeNanos, atNanos + afterNanos);
  }

  /** Returns the baseline and the window. */
  public TimeRange range() {
    return new TimeRange(atNanos - beforeNanos - baselineNanos, atNanos + afterNanos);
  }

  @Override
  public String toString() {
    return channels
        + " moved at "
        + EpochNanos.instant(atNanos)
        + ", before "
        + Duration.ofNanos(beforeNanos)
        + ", after "
        + Duration.ofNanos(afterNanos)
        + ", baseline "
        + Duration.ofNanos(baselineNanos);
  }
}
