package org.kblake.core.internal.log.pair;

import org.kblake.core.internal.time.EpochNanos;

/**
 * A stretch of time, both ends included. Sums stop at the ends of what a {@code long} can say.
 *
 * @param fromNanos nanoseconds since 1970 UTC
 * @param toNanos nanoseconds since 1970 UTC
 */
public record Span(long fromNanos, long toNanos) {

  public static Span at(long nanos) {
    return new Span(nanos, nanos);
  }

  /** From the earlier to the later of both. */
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

  /** Widened on both sides. */
  public Span widened(long nanos) {
    return new Span(EpochNanos.minus(fromNanos, nanos), EpochNanos.plus(toNanos, nanos));
  }

  public boolean contains(long nanos) {
    return fromNanos <= nanos && nanos <= toNanos;
  }
}
