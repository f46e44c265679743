package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import org.kblake.core.internal.time.EpochNanos;

/**
 * A question about the values that channels held at an instant. Immutable; each method returns a
 * changed copy.
 *
 * @param channels the channels
 * @param atNanos the instant, nanoseconds since 1970 UTC
 * @param lookBackNanos the length of the search backwards; older values do not count
 * @param source the source of the answer
 * @param allowIncomplete whether values are returned that may be outdated, because a log cannot be
 *     read
 */
public record HeldQuery(
    ChannelSelection channels,
    long atNanos,
    long lookBackNanos,
    Source source,
    boolean allowIncomplete) {

  /** A look-back without a limit: the search ends at the begin of the group's log. */
  public static final Duration UNLIMITED_LOOK_BACK = Duration.ofNanos(Long.MAX_VALUE);

  /** The default look-back: 365 days. */
  public static final Duration DEFAULT_LOOK_BACK = Duration.ofDays(365);

  public HeldQuery {
    if (lookBackNanos < 0) {
      throw new IllegalArgumentException("look-back is negative: nanos=" + lookBackNanos);
    }
  }

  /** Returns a question about an instant, with {@link #DEFAULT_LOOK_BACK}. */
  public static HeldQuery of(ChannelSelection channels, Instant at) {
    return new HeldQuery(
        channels, EpochNanos.of(at), DEFAULT_LOOK_BACK.toNanos(), Source.AUTO, false);
  }

  /** Sets the instant, nanoseconds since 1970 UTC. */
  public HeldQuery at(long nanos) {
    return new HeldQuery(channels, nanos, lookBackNanos, source, allowIncomplete);
  }

  /** Sets the length of the search backwards. */
  public HeldQuery lookBack(Duration duration) {
    return new HeldQuery(channels, atNanos, EpochNanos.of(duration), source, allowIncomplete);
  }

  /** Sets the source of the answer. */
  public HeldQuery from(Source newSource) {
    return new HeldQuery(channels, atNanos, lookBackNanos, newSource, allowIncomplete);
  }

  /**
   * Allows an answer whose values may be outdated: it is returned without an exception. Its
   * coverage lists the missing spans.
   */
  public HeldQuery allowingIncomplete() {
    return new HeldQuery(channels, atNanos, lookBackNanos, source, true);
  }
}
