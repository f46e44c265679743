package org.kblake.core.model;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Instants and durations as nanoseconds in a {@code long}, from 1677 to 2262. */
public final class EpochNanos {

  private static final long SECOND = 1_000_000_000L;

  private EpochNanos() {}

  /**
   * @throws DateTimeException if a {@code long} cannot represent the instant
   */
  public static long of(Instant instant) {
    try {
      long seconds = instant.getEpochSecond();
      // The whole first second of the range does not fit a long, so the seconds are rounded towards
      // zero.
      return seconds < 0
          ? Math.addExact(Math.multiplyExact(seconds + 1, SECOND), instant.getNano() - SECOND)
          : Math.addExact(Math.multiplyExact(seconds, SECOND), instant.getNano());
    } catch (ArithmeticException e) {
      throw new DateTimeException("instant is outside of 1677-09-21 to 2262-04-11: " + instant, e);
    }
  }

  /** Returns the instant, or the nearest one that a {@code long} can represent. */
  public static long nearest(long epochSecond, int nanoOfSecond) {
    long most = Long.MAX_VALUE / SECOND;
    if (epochSecond > most || epochSecond < -most - 1) {
      return epochSecond < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return epochSecond < 0
        ? plus((epochSecond + 1) * SECOND, nanoOfSecond - SECOND)
        : plus(epochSecond * SECOND, nanoOfSecond);
  }

  /** Returns the duration, or the longest one that a {@code long} can represent. */
  public static long of(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  public static TimeRange range(Instant from, Instant to) {
    return new TimeRange(of(from), of(to));
  }

  /** Returns the range between two times in any order, extended by a bound on both sides. */
  public static TimeRange around(long nanos, long otherNanos, long boundNanos) {
    return new TimeRange(
        minus(Math.min(nanos, otherNanos), boundNanos),
        plus(Math.max(nanos, otherNanos), boundNanos));
  }

  public static Instant instant(long nanos) {
    return Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND), Math.floorMod(nanos, SECOND));
  }

  /** Returns the sum, or the nearest number that a {@code long} can represent. */
  public static long plus(long nanos, long more) {
    long sum = nanos + more;
    if (((nanos ^ sum) & (more ^ sum)) < 0) {
      return more < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return sum;
  }

  /** Returns the difference, or the nearest number that a {@code long} can represent. */
  public static long minus(long nanos, long less) {
    return less == Long.MIN_VALUE ? plus(plus(nanos, Long.MAX_VALUE), 1) : plus(nanos, -less);
  }
}
