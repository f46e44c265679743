package org.kblake.server.internal.live;

import java.time.Duration;

/**
 * The limits of streams of new events.
 *
 * @param streams the maximum number of streams at once
 * @param heartbeat the longest time without a line
 * @param stall the longest time of a write that does not progress
 */
public record LiveLimits(int streams, Duration heartbeat, Duration stall) {

  /** Returns the limits of a server: a line each 10 s, and 30 s without progress. */
  public static LiveLimits of(int streams) {
    return new LiveLimits(streams, Duration.ofSeconds(10), Duration.ofSeconds(30));
  }
}
