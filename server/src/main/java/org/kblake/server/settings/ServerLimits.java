package org.kblake.server.settings;

import java.time.Duration;

/**
 * How much a server does at once.
 *
 * @param trends requests for trends, names and values
 * @param exports requests for events
 * @param streams requests that last as long as the client wishes
 * @param waiting requests of each kind that wait for others to end
 * @param longestWait the longest time that a request waits
 * @param trendTime the longest time of a request for trends, names and values
 * @param exportTime the longest time of a request for events
 * @param idle the time after which a connection is closed whose client neither sends nor reads
 * @param stop the time that requests have to end when the server is closed
 * @param connections what connections may take
 * @param requestsOfClient requests of each kind that one client may have in work or waiting
 * @param memoryBytes the bytes of memory that answers may take together before they are written
 */
public record ServerLimits(
    int trends,
    int exports,
    int streams,
    int waiting,
    Duration longestWait,
    Duration trendTime,
    Duration exportTime,
    Duration idle,
    Duration stop,
    ConnectionLimits connections,
    int requestsOfClient,
    long memoryBytes) {

  private static final int SHARE = 4;
  private static final int REQUESTS_OF_CLIENT = 200;

  /**
   * Makes limits with the usual requests of a client, and the usual memory: a quarter of the heap.
   */
  public ServerLimits(
      int trends,
      int exports,
      int streams,
      int waiting,
      Duration longestWait,
      Duration trendTime,
      Duration exportTime,
      Duration idle,
      Duration stop,
      ConnectionLimits connections) {
    this(
        trends,
        exports,
        streams,
        waiting,
        longestWait,
        trendTime,
        exportTime,
        idle,
        stop,
        connections,
        REQUESTS_OF_CLIENT,
        Runtime.getRuntime().maxMemory() / SHARE);
  }

  /** Returns the limits of {@code kblake serve}. */
  public static ServerLimits defaults() {
    return new ServerLimits(
        16,
        4,
        64,
        256,
        Duration.ofSeconds(10),
        Duration.ofMinutes(1),
        Duration.ofMinutes(30),
        Duration.ofSeconds(30),
        Duration.ofSeconds(5),
        ConnectionLimits.defaults());
  }
}
