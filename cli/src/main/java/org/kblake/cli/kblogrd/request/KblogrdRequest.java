package org.kblake.cli.kblogrd.request;

import java.util.List;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/**
 * What a command line requests.
 *
 * @param group whose records
 * @param records in the order of {@code -r}; empty for all of the group
 * @param times which times
 * @param format how it is printed
 */
public record KblogrdRequest(
    Group group, List<RecordArgument> records, Times times, FormatName format) {

  public KblogrdRequest {
    records = List.copyOf(records);
  }

  /** What of time a request is about. */
  public sealed interface Times {

    /**
     * All events of the period: those of it are printed, or its record tables say what there is.
     */
    EventQuery events(ChannelSelection channels);
  }

  /** Everything in the newest pair that can be read. */
  public record NewestPair() implements Times {
    @Override
    public EventQuery events(ChannelSelection channels) {
      return EventQuery.of(channels).inNewestPair().allowIncomplete();
    }
  }

  /**
   * Values held at one instant.
   *
   * @param nanos nanoseconds since 1970 UTC
   */
  public record Instant(long nanos) implements Times {
    @Override
    public EventQuery events(ChannelSelection channels) {
      return within(channels, nanos, nanos + 1);
    }
  }

  /**
   * The events of a range.
   *
   * @param fromNanos nanoseconds since 1970 UTC, included
   * @param toNanos nanoseconds since 1970 UTC, not included
   */
  public record Range(long fromNanos, long toNanos) implements Times {
    @Override
    public EventQuery events(ChannelSelection channels) {
      return within(channels, fromNanos, toNanos);
    }
  }

  /**
   * Values held at points of a grid, and connection events of the range.
   *
   * @param startNanos the first point, nanoseconds since 1970 UTC
   * @param endNanos no point is later
   * @param stepNanos from point to point
   * @param toNanos connection events are earlier than this
   */
  public record Grid(long startNanos, long endNanos, long stepNanos, long toNanos)
      implements Times {
    @Override
    public EventQuery events(ChannelSelection channels) {
      return within(channels, startNanos, toNanos);
    }
  }

  private static EventQuery within(ChannelSelection channels, long fromNanos, long toNanos) {
    return EventQuery.of(channels).between(new TimeRange(fromNanos, toNanos)).allowIncomplete();
  }
}
