package org.kblake.query.internal.source;

import org.kblake.core.model.TimeRange;

/**
 * Which events of a group's ranges are returned.
 *
 * @param spans segments of raw logs whose spans meet it are read
 * @param times events whose times it contains are returned; strays are returned at any time
 * @param strays whether strays are requested
 * @param logOrder whether lateness and tie are requested, for which events of raw logs are read
 *     twice
 * @param group index into the answer's dictionary of groups
 */
public record WantedEvents(
    TimeRange spans, TimeRange times, boolean strays, boolean logOrder, int group) {

  /** Returns all events of a range except strays. */
  public static WantedEvents of(TimeRange range) {
    return new WantedEvents(range, range, false, false, 0);
  }

  /** Returns the same at other times. */
  public WantedEvents at(TimeRange otherTimes) {
    return new WantedEvents(spans, otherTimes, strays, logOrder, group);
  }
}
