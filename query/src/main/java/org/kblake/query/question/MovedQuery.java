package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * A question about the channels that left their own habit around an instant. Immutable; each method
 * returns a changed copy.
 *
 * @param scope the channels that are compared with their habit. Its range is the baseline, which is
 *     at least a minute long and shows the habit, and the window.
 * @param atNanos the instant, nanoseconds since 1970 UTC; before the end of the window
 * @param beforeNanos the length of the window before the instant, at least 0
 */
public record MovedQuery(Scope scope, long atNanos, long beforeNanos)
    implements Question<MovedQuery> {

  private static final long MIN_BASELINE_NANOS = 60_000_000_000L;

  public MovedQuery {
    TimeRange range = scope.range();
    check(
        atNanos,
        beforeNanos,
        EpochNanos.minus(range.toNanos(), atNanos),
        EpochNanos.minus(EpochNanos.minus(atNanos, beforeNanos), range.fromNanos()));
    requireBounded(range.fromNanos(), range.toNanos());
  }

  private static void requireBounded(long fromNanos, long toNanos) {
    if (fromNanos == Long.MIN_VALUE || toNanos == Long.MAX_VALUE) {
      throw new IllegalArgumentException("the window or the baseline is too long");
    }
  }

  private static void check(long atNanos, long beforeNanos, long afterNanos, long baselineNanos) {
    if (beforeNanos < 0 || afterNanos < 1) {
      throw new IllegalArgumentException(
          "the window is empty: before=" + beforeNanos + ", after=" + afterNanos);
    }
    if (baselineNanos < MIN_BASELINE_NANOS) {
      throw new IllegalArgumentException(
          "the baseline is shorter than a minute: nanos=" + baselineNanos);
    }
    requireBounded(
        EpochNanos.minus(EpochNanos.minus(atNanos, beforeNanos), baselineNanos),
        EpochNanos.plus(atNanos, afterNanos));
  }

  /**
   * Returns a question about an instant: 30 s before it, 5 s after it, and an hour as the baseline.
   */
  public static MovedQuery of(ChannelSelection channels, Instant at) {
    return of(
        Scope.of(channels),
        EpochNanos.of(at),
        Duration.ofSeconds(30).toNanos(),
        Duration.ofSeconds(5).toNanos(),
        Duration.ofHours(1).toNanos());
  }

  private static MovedQuery of(
      Scope scope, long atNanos, long beforeNanos, long afterNanos, long baselineNanos) {
    check(atNanos, beforeNanos, afterNanos, baselineNanos);
    return new MovedQuery(
        scope.between(new TimeRange(atNanos - beforeNanos - baselineNanos, atNanos + afterNanos)),
        atNanos,
        beforeNanos);
  }

  @Override
  public MovedQuery with(Scope newScope) {
    return new MovedQuery(newScope, atNanos, beforeNanos);
  }

  /** Sets the lengths of the window before the instant, and from it on. */
  public MovedQuery window(Duration before, Duration after) {
    return of(scope, atNanos, EpochNanos.of(before), EpochNanos.of(after), baselineNanos());
  }

  /** Sets the length of the baseline, which ends where the window begins. */
  public MovedQuery baseline(Duration length) {
    return of(scope, atNanos, beforeNanos, afterNanos(), EpochNanos.of(length));
  }

  /** Returns the length of the window from the instant on, at least 1. */
  public long afterNanos() {
    return range().toNanos() - atNanos;
  }

  /** Returns the length of the time before the window that shows the habit, at least a minute. */
  public long baselineNanos() {
    return atNanos - beforeNanos - range().fromNanos();
  }

  /** Returns the times in which a channel may move. */
  public TimeRange window() {
    return new TimeRange(atNanos - beforeNanos, range().toNanos());
  }

  @Override
  public String toString() {
    return channels()
        + " moved at "
        + EpochNanos.instant(atNanos)
        + ", before "
        + Duration.ofNanos(beforeNanos)
        + ", after "
        + Duration.ofNanos(afterNanos())
        + ", baseline "
        + Duration.ofNanos(baselineNanos());
  }
}
