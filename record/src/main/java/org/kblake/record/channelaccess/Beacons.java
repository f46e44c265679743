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

  /**
   * Notes a beacon.
   *
   * @param number the number that the server counts up from 0
   * @return whether the server is new or was restarted
   */
  boolean isNewServer(InetSocketAddress server, int number) {
    Integer last = numbers.put(server, number);
    return last == null || number == 0 && last != 0 || number - last < -OVERTAKEN;
  }
}
