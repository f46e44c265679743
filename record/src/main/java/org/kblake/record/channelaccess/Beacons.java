package org.kblake.record.channelaccess;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** The last beacons of servers. */
final class Beacons {

  private static final int MOST_SERVERS = 10_000;

  /** Beacons that were overtaken by others have numbers just below the last one. */
  private static final int OVERTAKEN = 16;

  /** Beacons come every 15 seconds, unless a server is configured otherwise. */
  private static final long SHORTEST_PAUSE_NANOS = 30_000_000_000L;

  private static final int INTERVALS_OF_PAUSE = 3;

  /** The last beacon of a server, and the time since the one before it. */
  private record Last(int number, long nanos, long intervalNanos) {}

  private final Map<InetSocketAddress, Last> beacons =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Last> eldest) {
          return size() > MOST_SERVERS;
        }
      };

  /** What a beacon says of its server. */
  enum News {
    NONE,
    /** It was not heard of, or not for long. */
    NEW_SERVER,
    RESTARTED_SERVER
  }

  /**
   * Notes a beacon.
   *
   * @param number the number that the server counts up from 0
   */
  News take(InetSocketAddress server, int number, long nowNanos) {
    Last last = beacons.get(server);
    if (last == null) {
      beacons.put(server, new Last(number, nowNanos, 0));
      return News.NEW_SERVER;
    }
    int difference = number - last.number();
    boolean isRestarted = number == 0 && difference != 0 || difference < -OVERTAKEN;
    if (!isRestarted && difference <= 0) {
      return News.NONE;
    }
    long interval = nowNanos - last.nanos();
    beacons.put(server, new Last(number, nowNanos, interval));
    if (isRestarted) {
      return News.RESTARTED_SERVER;
    }
    long pause = Math.max(SHORTEST_PAUSE_NANOS, INTERVALS_OF_PAUSE * last.intervalNanos());
    return interval > pause ? News.NEW_SERVER : News.NONE;
  }
}
