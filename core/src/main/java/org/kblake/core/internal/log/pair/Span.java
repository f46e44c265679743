package org.kblake.core.internal.log.pair;

import org.kblake.core.internal.time.EpochNanos;

/**
 * A stretch of time, both ends included. Arithmetic does not overflow: it stops at the least and
 * greatest {@code long}.
 *
 * @param fromNanos nanoseconds since 1970 UTC
 * @param toNanos nanoseconds since 1970 UTC
 */
public record Span(long fromNanos, long toNanos) {

  public static Span at(long nanos) {
    return new Span(nanos, nanos);
  }

  /** Returns the span from the earlier begin to the later end of both. */
  public Span and(Span other) {
    return new Span(Math.min(fromNanos, other.fromNanos), Math.max(toNanos, other.toNanos));
  }

  public Span and(long nanos) {
    return and(at(nanos));
  }

  Span plusTo(long nanos) {
    return new Span(fromNanos, EpochNanos.plus(toNanos, nanos));
  }

  Span openEnded() {
    return new Span(fromNanos, Long.MAX_VALUE);
  }

  /** Returns the span widened on both sides. */
  public Span widened(long nanos) {
    return new Span(EpochNanos.minus(fromNanos, nanos), EpochNanos.plus(toNanos, nanos));
  }

  public boolean contains(long nanos) {
    return fromNanos <= nanos && nanos <= toNanos;
  }
}
