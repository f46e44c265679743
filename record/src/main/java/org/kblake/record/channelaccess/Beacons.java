package org.kblake.record.channelaccess;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** The last beacons of servers. */
final class Beacons {

  private static final int MOST_SERVERS = 10_000;

  /** Beacons that were overtaken by others have numbers just below the last one. */
  private static final int OVERTAKEN = 16;

  private final Map<InetSocketAddress, Integer> numbers =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Integer> eldest) {
          return size() > MOST_SERVERS;
        }
      };

  /** What a beacon says of its server. */
  enum News {
    NONE,
    NEW_SERVER,
    RESTARTED_SERVER
  }

  /**
   * Notes a beacon.
   *
   * @param number the number that the server counts up from 0
   */
  News take(InetSocketAddress server, int number) {
    Integer last = numbers.put(server, number);
    if (last == null) {
      return News.NEW_SERVER;
    }
    return number == 0 && last != 0 || number - last < -OVERTAKEN
        ? News.RESTARTED_SERVER
        : News.NONE;
  }
}
