package org.kblake.record.channelaccess;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/** Servers to which no circuit is begun for a while, because circuits failed. */
final class BackOff {

  private static final long SHORTEST_NANOS = 1_000_000_000L;
  private static final long LONGEST_NANOS = 60 * SHORTEST_NANOS;

  /** A circuit that lasted as long was good, if the server sent anything. */
  private static final long GOOD_NANOS = 10 * SHORTEST_NANOS;

  /** Answers may name servers that do not exist. */
  private static final int MOST_SERVERS = 10_000;

  private record Wait(long untilNanos, long lengthNanos) {}

  private final Map<InetSocketAddress, Wait> waits = new HashMap<>();

  /** Returns whether a circuit may be begun. */
  boolean permits(InetSocketAddress server, long nowNanos) {
    Wait wait = waits.get(server);
    return wait == null || nowNanos - wait.untilNanos() >= 0;
  }

  /** Notes that a circuit ended, or could not be connected. */
  void ended(Circuit circuit, long nowNanos) {
    if (circuit.isConnected()
        && !circuit.isMute()
        && nowNanos - circuit.begunNanos() > GOOD_NANOS) {
      waits.remove(circuit.server());
      return;
    }
    Wait before = waits.get(circuit.server());
    long length =
        before == null ? SHORTEST_NANOS : Math.min(LONGEST_NANOS, 2 * before.lengthNanos());
    waits.put(circuit.server(), new Wait(nowNanos + length, length));
    if (waits.size() > MOST_SERVERS) {
      waits.values().removeIf(wait -> nowNanos - wait.untilNanos() >= 0);
    }
  }
}
