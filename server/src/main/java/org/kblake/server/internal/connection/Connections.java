package org.kblake.server.internal.connection;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.server.settings.ConnectionLimits;

/**
 * The open connections. If there are too many, of all clients or of one address, the connection
 * that waits longest for a request is closed in favour of a new one. So a request always comes
 * through, however many connections send none. Thread safe.
 */
final class Connections {

  /** Connections for clients on this host, such as probes and proxies. */
  private static final int RESERVED = 16;

  private static final Set<String> LOCAL = Set.of("127.0.0.1", "0:0:0:0:0:0:0:1");

  private static final int NETWORK_BYTES = 8;

  private final ConnectionLimits limits;
  private final Set<ClientEndPoint> open = new LinkedHashSet<>();
  private final Map<Object, Clients> clients = new HashMap<>();
  private final Clients all = new Clients();

  /** The connections of an address, or of all. Those that have waited longest come first. */
  private static final class Clients {
    final Set<ClientEndPoint> waiting = new LinkedHashSet<>();
    int count;

    @Nullable ClientEndPoint longestWaiting() {
      return waiting.isEmpty() ? null : waiting.iterator().next();
    }
  }

  Connections(ConnectionLimits limits) {
    this.limits = limits;
  }

  /** Adds a connection. If there is no room, it or one that waits is closed. */
  void add(ClientEndPoint client) {
    ClientEndPoint surplus = put(client);
    if (surplus != null) {
      surplus.closeLater();
    }
  }

  private synchronized @Nullable ClientEndPoint put(ClientEndPoint client) {
    Object address = address(client);
    Clients same = clients.computeIfAbsent(address, any -> new Clients());
    open.add(client);
    same.count++;
    all.count++;
    boolean isLocal = isLocal(client);
    int most = limits.all() - (isLocal ? 0 : Math.min(RESERVED, limits.all() / 2));
    ClientEndPoint surplus = null;
    if (!isLocal && same.count > limits.ofAddress()) {
      surplus = Objects.requireNonNullElse(same.longestWaiting(), client);
    } else if (all.count > most) {
      surplus = Objects.requireNonNullElse(all.longestWaiting(), client);
    }
    same.waiting.add(client);
    all.waiting.add(client);
    if (surplus != null) {
      remove(surplus);
    }
    return surplus;
  }

  synchronized void remove(ClientEndPoint client) {
    if (open.remove(client)) {
      Object address = address(client);
      Clients same = clients.get(address);
      all.count--;
      all.waiting.remove(client);
      if (same != null) {
        same.waiting.remove(client);
        if (--same.count == 0) {
          clients.remove(address);
        }
      }
    }
  }

  synchronized void works(ClientEndPoint client) {
    Clients same = clients.get(address(client));
    all.waiting.remove(client);
    if (same != null) {
      same.waiting.remove(client);
    }
  }

  synchronized void waits(ClientEndPoint client) {
    Clients same = clients.get(address(client));
    if (same != null && open.contains(client)) {
      all.waiting.add(client);
      same.waiting.add(client);
    }
  }

  /** Closes the connections whose header takes too long, or whose client is too slow. */
  void closeSlow() {
    List<ClientEndPoint> present;
    synchronized (this) {
      present = new ArrayList<>(open);
    }
    long now = System.nanoTime();
    for (ClientEndPoint each : present) {
      if (each.isTooSlow(now, limits.header().toNanos(), limits.bytesPerSecond())) {
        each.closeLater();
      }
    }
  }

  /** Returns whether a client is this host, as probes and proxies are. */
  static boolean isLocal(ClientEndPoint client) {
    InetAddress address = client.remote();
    return address != null && LOCAL.contains(address.getHostAddress());
  }

  static Object address(ClientEndPoint client) {
    InetAddress address = client.remote();
    return address instanceof Inet6Address
        ? ByteBuffer.wrap(address.getAddress(), 0, NETWORK_BYTES)
        : String.valueOf(address);
  }
}
