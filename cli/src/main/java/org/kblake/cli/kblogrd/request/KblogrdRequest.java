package org.kblake.cli.kblogrd.request;

import java.util.List;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/**
 * A request of a command line.
 *
 * @param group the group of the records
 * @param records the records in the order of {@code -r}; empty for all records of the group
 * @param times the times
 * @param format the output format
 */
public record KblogrdRequest(
    Group group, List<RecordArgument> records, Times times, FormatName format) {

  public KblogrdRequest {
    records = List.copyOf(records);
  }

  /** The times of a request. */
  public sealed interface Times {

    /**
     * Returns the query of all events of the period. It serves to print them, or to find the
     * records in the period's record tables.
     */
    EventQuery events(ChannelSelection channels);
  }

  /** All events of the newest pair that can be read. */
  public record NewestPair() implements Times {
    @Override
    public EventQuery events(ChannelSelection channels) {
      return EventQuery.of(channels).inNewestPair().allowIncomplete();
    }
  }

  /**
   * The values held at one instant.
   *
   * @param nanos the instant, nanoseconds since 1970 UTC
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
   * The values held at the points of a grid, and the connection events of the range.
   *
   * @param startNanos the first point, nanoseconds since 1970 UTC
   * @param endNanos the end of the grid: no point is later
   * @param stepNanos the time between two points
   * @param toNanos the end of the range of connection events, not included
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
