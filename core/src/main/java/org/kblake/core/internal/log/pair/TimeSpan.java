package org.kblake.core.internal.log.pair;

import org.kblake.core.model.EpochNanos;

/**
 * A span of time, both ends included. Arithmetic does not overflow: it stops at the least and
 * greatest {@code long}.
 *
 * @param fromNanos nanoseconds since 1970 UTC
 * @param toNanos nanoseconds since 1970 UTC
 */
public record TimeSpan(long fromNanos, long toNanos) {

  public static TimeSpan at(long nanos) {
    return new TimeSpan(nanos, nanos);
  }

  /** Returns the span from the earlier begin to the later end of both. */
  public TimeSpan and(TimeSpan other) {
    return new TimeSpan(Math.min(fromNanos, other.fromNanos), Math.max(toNanos, other.toNanos));
  }

  public TimeSpan and(long nanos) {
    return and(at(nanos));
  }

  TimeSpan plusTo(long nanos) {
    return new TimeSpan(fromNanos, EpochNanos.plus(toNanos, nanos));
  }

  TimeSpan openEnded() {
    return new TimeSpan(fromNanos, Long.MAX_VALUE);
  }

  /** Returns the span widened on both sides. */
  public TimeSpan widened(long nanos) {
    return new TimeSpan(EpochNanos.minus(fromNanos, nanos), EpochNanos.plus(toNanos, nanos));
  }

  public boolean contains(long nanos) {
    return fromNanos <= nanos && nanos <= toNanos;
  }
}
