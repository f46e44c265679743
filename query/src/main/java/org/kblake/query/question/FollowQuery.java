package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import org.kblake.core.internal.time.EpochNanos;

/**
 * A question about events of channels from a time on, without an end. Immutable; each method
 * returns a changed copy.
 *
 * @param channels the channels, resolved again in every pair: channels of a later pair are
 *     followed, too
 * @param fromNanos events before this time are excluded, nanoseconds since 1970 UTC
 * @param source the source of history; new events always come from the raw logs
 * @param withStrays whether strays are included
 * @param lastEvents the largest number of present events of each channel; {@link Long#MAX_VALUE}
 *     for all
 * @param poll the interval between polls of the files
 */
public record FollowQuery(
    ChannelSelection channels,
    long fromNanos,
    Source source,
    boolean withStrays,
    long lastEvents,
    Duration poll) {

  /** The default interval between polls of the files. */
  public static final Duration DEFAULT_POLL = Duration.ofSeconds(1);

  /** The shortest interval between polls. */
  public static final Duration MIN_POLL = Duration.ofMillis(10);

  public FollowQuery {
    if (poll.compareTo(MIN_POLL) < 0) {
      throw new IllegalArgumentException(
          "poll is too short: poll=" + poll + ", expected " + MIN_POLL + " or more");
    }
    if (lastEvents < 0) {
      throw new IllegalArgumentException("events must not be negative: events=" + lastEvents);
    }
    if (source == Source.STORE) {
      throw new IllegalArgumentException("columns have no new events: source=STORE");
    }
  }

  /** Returns a question about all events from a time on. */
  public static FollowQuery of(ChannelSelection channels, Instant from) {
    return new FollowQuery(
        channels, EpochNanos.of(from), Source.AUTO, false, Long.MAX_VALUE, DEFAULT_POLL);
  }

  /** Sets the earliest time of events, nanoseconds since 1970 UTC. */
  public FollowQuery from(long nanos) {
    return new FollowQuery(channels, nanos, source, withStrays, lastEvents, poll);
  }

  /** Sets the source of history. */
  public FollowQuery from(Source newSource) {
    return new FollowQuery(channels, fromNanos, newSource, withStrays, lastEvents, poll);
  }

  /**
   * Begins with the last events of every channel that exist when following begins, in log order.
   * The earliest time limits the search for them. Without it, which is {@link Long#MIN_VALUE}, only
   * channels recorded at present match; names without a channel there are searched everywhere.
   *
   * @param events number of events of each channel, or 0 for new events only
   */
  public FollowQuery last(long events) {
    return new FollowQuery(channels, fromNanos, source, withStrays, events, poll);
  }

  /** Includes strays, at any time. */
  public FollowQuery includingStrays() {
    return new FollowQuery(channels, fromNanos, source, true, lastEvents, poll);
  }

  /** Sets the interval between polls of the files: {@link #MIN_POLL} or more. */
  public FollowQuery polling(Duration interval) {
    return new FollowQuery(channels, fromNanos, source, withStrays, lastEvents, interval);
  }

  @Override
  public String toString() {
    return channels + " from " + EpochNanos.instant(fromNanos) + " on";
  }
}
