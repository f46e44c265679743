package org.kblake.cli.run.status;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** The connections that {@link MetricsServer} may have at a time. Safe for many threads. */
final class MetricsCapacity {

  static final int CONNECTIONS = 32;
  static final int OF_AN_ADDRESS = 8;
  static final int FOR_LOOPBACK = 8;

  private final Map<InetAddress, Integer> counts = new HashMap<>();
  private int count;

  /** Counts a connection from an address. Returns false if there are too many. */
  synchronized boolean admit(InetAddress address) {
    int most = address.isLoopbackAddress() ? CONNECTIONS : CONNECTIONS - FOR_LOOPBACK;
    if (count >= most || counts.getOrDefault(address, 0) >= OF_AN_ADDRESS) {
      return false;
    }
    count++;
    counts.merge(address, 1, Integer::sum);
    return true;
  }

  /** Counts the end of a connection. */
  synchronized void release(InetAddress address) {
    count--;
    counts.computeIfPresent(address, (key, of) -> of == 1 ? null : Integer.valueOf(of - 1));
  }
}
