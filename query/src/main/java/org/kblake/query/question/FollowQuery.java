package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import org.kblake.core.internal.time.EpochNanos;

/**
 * What is to be followed: events of which channels, from when on, for ever. Immutable; each method
 * gives a changed copy.
 *
 * @param channels looked for in every pair anew: what a later pair has of them is followed too
 * @param fromNanos events before this time are left out, nanoseconds since 1970 UTC
 * @param source where history comes from; what is new always comes from the raw logs
 * @param withStrays whether strays are given too
 * @param poll how often files are looked at
 */
public record FollowQuery(
    ChannelSelection channels, long fromNanos, Source source, boolean withStrays, Duration poll) {

  /** How often files are looked at unless asked otherwise. */
  public static final Duration DEFAULT_POLL = Duration.ofSeconds(1);

  /** More often makes no sense. */
  public static final Duration LEAST_POLL = Duration.ofMillis(10);

  public FollowQuery {
    if (poll.compareTo(LEAST_POLL) < 0) {
      throw new IllegalArgumentException(
          "poll is too short: poll=" + poll + ", expected " + LEAST_POLL + " or more");
    }
    if (source == Source.STORE) {
      throw new IllegalArgumentException("columns have no new events: source=STORE");
    }
  }

  /** Everything that happens from a time on. */
  public static FollowQuery of(ChannelSelection channels, Instant from) {
    return new FollowQuery(channels, EpochNanos.of(from), Source.AUTO, false, DEFAULT_POLL);
  }

  /** Events at or after this time, nanoseconds since 1970 UTC. */
  public FollowQuery from(long nanos) {
    return new FollowQuery(channels, nanos, source, withStrays, poll);
  }

  /** From where history is taken. */
  public FollowQuery from(Source newSource) {
    return new FollowQuery(channels, fromNanos, newSource, withStrays, poll);
  }

  /** With the events whose times lie outside of their place in the log, whenever that is. */
  public FollowQuery includingStrays() {
    return new FollowQuery(channels, fromNanos, source, true, poll);
  }

  /** How often files are looked at: {@link #LEAST_POLL} or more. */
  public FollowQuery polling(Duration interval) {
    return new FollowQuery(channels, fromNanos, source, withStrays, interval);
  }

  @Override
  public String toString() {
    return channels + " from " + EpochNanos.instant(fromNanos) + " on";
  }
}
