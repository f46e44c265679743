package org.kblake.core.model;

/**
 * A half-open range of time.
 *
 * @param fromNanos nanoseconds since 1970 UTC, included
 * @param toNanos nanoseconds since 1970 UTC, not included
 */
public record TimeRange(long fromNanos, long toNanos) {

  /** The range from the first to the last instant that fits a {@code long} of nanoseconds. */
  public static final TimeRange ALL = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);

  public TimeRange {
    if (fromNanos > toNanos) {
      throw new IllegalArgumentException(
          "range ends before it begins: fromNanos=" + fromNanos + ", toNanos=" + toNanos);
    }
  }

  /** Returns whether an instant is in this range, in nanoseconds since 1970 UTC. */
  public boolean contains(long nanos) {
    return fromNanos <= nanos && nanos < toNanos;
  }

  /** Returns whether any instant of [from, to], both included, is in this range. */
  public boolean meets(long from, long to) {
    return from < toNanos && to >= fromNanos;
  }
}
