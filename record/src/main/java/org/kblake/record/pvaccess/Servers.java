package org.kblake.record.pvaccess;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.LongAdder;
import org.kblake.record.source.CircuitCounts;

/**
 * The servers that have connected channels, and what was received from them. core-pva tells no
 * bytes.
 */
final class Servers {

  /** Ended servers whose counts nobody asked for. The oldest are forgotten. */
  private static final int MOST_ENDED = 10_000;

  private final Map<String, Server> servers = new HashMap<>();
  private final Queue<CircuitCounts> ended = new ArrayDeque<>();
  private long lost;

  /** A server. Its number of values may be added to by any thread. */
  static final class Server {
    final String name;
    final LongAdder values = new LongAdder();
    private int channels;
    private long droppedFromNanos;
    private long dropped;

    Server(String name) {
      this.name = name;
    }

    /**
     * Notes an update before which the server, as it says, dropped others.
     *
     * @param fromNanos when the update before that was received, in nanoseconds since 1970 UTC
     */
    synchronized void dropped(long fromNanos) {
      droppedFromNanos = dropped == 0 ? fromNanos : Math.min(droppedFromNanos, fromNanos);
      dropped++;
    }

    private synchronized CircuitCounts counts(boolean isOpen) {
      CircuitCounts.Drops drops = new CircuitCounts.Drops(droppedFromNanos, dropped);
      droppedFromNanos = 0;
      dropped = 0;
      return new CircuitCounts(name, isOpen, values.sumThenReset(), 0, drops);
    }
  }

  /** Notes a channel that is connected. */
  synchronized Server connected(String name) {
    Server server = servers.computeIfAbsent(name, Server::new);
    server.channels++;
    return server;
  }

  /**
   * Notes that a channel is not connected any more.
   *
   * @param isLost false if the client wanted it
   */
  synchronized void disconnected(Server server, boolean isLost) {
    server.channels--;
    if (server.channels == 0) {
      servers.remove(server.name);
      ended.add(server.counts(false));
      lost += isLost ? 1 : 0;
    }
    if (ended.size() > MOST_ENDED) {
      ended.remove();
    }
  }

  /** Returns how often the last channel of a server was disconnected. */
  synchronized long lost() {
    return lost;
  }

  /** Returns what was counted since the last call. */
  synchronized List<CircuitCounts> counts() {
    List<CircuitCounts> counts = new ArrayList<>(ended);
    ended.clear();
    servers.values().forEach(server -> counts.add(server.counts(true)));
    return counts;
  }
}
