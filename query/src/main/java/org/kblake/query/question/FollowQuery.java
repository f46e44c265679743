package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * A question about events of channels from a time on, without an end. Immutable; each method
 * returns a changed copy. Of its scope, the end of the range, the look-back, the mask, and whether
 * the answer may be incomplete have no effect: damage is noted, and following goes on.
 *
 * @param scope the begin, the source of history (new events always come from the raw logs), and the
 *     channels, which are resolved again in every pair: channels of a later pair are followed, too
 * @param withStrays whether strays are included
 * @param lastEvents the largest number of present events of each channel; {@link Long#MAX_VALUE}
 *     for all
 * @param poll the interval between polls of the files
 */
public record FollowQuery(Scope scope, boolean withStrays, long lastEvents, Duration poll)
    implements Question<FollowQuery> {

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
    if (scope.source() == Source.STORE) {
      throw new IllegalArgumentException("columns have no new events: source=STORE");
    }
    scope =
        scope.between(new TimeRange(scope.range().fromNanos(), Long.MAX_VALUE)).lookBackNanos(0);
  }

  /** Returns a question about all events from a time on. */
  public static FollowQuery of(ChannelSelection channels, Instant from) {
    return new FollowQuery(
        Scope.of(channels).at(EpochNanos.of(from)), false, Long.MAX_VALUE, DEFAULT_POLL);
  }

  @Override
  public FollowQuery with(Scope newScope) {
    return new FollowQuery(newScope, withStrays, lastEvents, poll);
  }

  /** Sets the earliest time of events, nanoseconds since 1970 UTC. */
  public FollowQuery from(long nanos) {
    return with(scope.at(nanos));
  }

  /** Returns the earliest time of events, nanoseconds since 1970 UTC. */
  public long fromNanos() {
    return scope.range().fromNanos();
  }

  /**
   * Begins with the last events of every channel that exist when following begins, in log order.
   * The earliest time limits the search for them. Without it, which is {@link Long#MIN_VALUE}, only
   * channels recorded at present match; names without a channel there are searched everywhere.
   *
   * @param events number of events of each channel, or 0 for new events only
   */
  public FollowQuery last(long events) {
    return new FollowQuery(scope, withStrays, events, poll);
  }

  /** Includes strays, at any time. */
  public FollowQuery includingStrays() {
    return new FollowQuery(scope, true, lastEvents, poll);
  }

  /** Sets the interval between polls of the files: {@link #MIN_POLL} or more. */
  public FollowQuery polling(Duration interval) {
    return new FollowQuery(scope, withStrays, lastEvents, interval);
  }

  @Override
  public String toString() {
    return channels() + " from " + EpochNanos.instant(fromNanos()) + " on";
  }
}
