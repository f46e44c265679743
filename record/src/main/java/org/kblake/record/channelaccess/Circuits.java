package org.kblake.record.channelaccess;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.kblake.record.channelaccess.message.Requests;
import org.kblake.record.source.CircuitCounts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The circuits by server. The sender owns it; others may look. */
final class Circuits {

  private static final Logger LOG = LoggerFactory.getLogger(Circuits.class);

  /** Those that ended and were not asked for. */
  private static final int MOST_ENDED = 10_000;

  private final Map<InetSocketAddress, Circuit> circuits = new ConcurrentHashMap<>();
  private final Deque<Circuit> ended = new ArrayDeque<>();
  private final BackOff backOff = new BackOff();
  private final Selector selector;

  /**
   * Creates an empty set.
   *
   * @param selector tells when a socket is connected or can be written
   */
  Circuits(Selector selector) {
    this.selector = selector;
  }

  Collection<Circuit> all() {
    return circuits.values();
  }

  /**
   * Returns the circuit to a server, and begins it if there is none.
   *
   * @return null if the server is left alone for a while
   */
  @Nullable Circuit to(InetSocketAddress server, long nowNanos) {
    Circuit circuit = circuits.get(server);
    if (circuit != null || !backOff.permits(server, nowNanos)) {
      return circuit;
    }
    try {
      // The receive buffer stays as it is: the kernel then enlarges it when bytes wait.
      SocketChannel socket = SocketChannel.open();
      Circuit begun = new Circuit(server, socket, nowNanos);
      try {
        begin(begun);
      } catch (IOException | RuntimeException e) {
        LOG.debug("{}: {}", server, e.getMessage());
        socket.close();
        backOff.ended(begun, nowNanos);
        return null;
      }
      circuits.put(server, begun);
      return begun;
    } catch (IOException e) {
      LOG.warn("{}: no circuit can be begun: {}", server, e.getMessage());
      return null;
    }
  }

  private void begin(Circuit circuit) throws IOException {
    SocketChannel socket = circuit.socket();
    socket.configureBlocking(false);
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    socket.register(selector, SelectionKey.OP_CONNECT, circuit);
    Requests.version(circuit.output().with(Requests.LARGEST));
    Requests.hostName(circuit.output().with(Requests.NAMED), Identity.HOST);
    Requests.clientName(circuit.output().with(Requests.NAMED), Identity.USER);
    socket.connect(circuit.server());
  }

  /** Notes that a server was restarted. */
  void restarted(InetSocketAddress server) {
    Circuit circuit = circuits.get(server);
    if (circuit != null) {
      circuit.setRestarted(true);
    }
  }

  /** Returns what was counted since the last call, also on circuits that ended since then. */
  synchronized List<CircuitCounts> counts() {
    List<CircuitCounts> counts = new ArrayList<>();
    for (Circuit circuit : ended) {
      counts.add(circuit.counts());
    }
    ended.clear();
    for (Circuit circuit : circuits.values()) {
      if (circuit.isConnected()) {
        counts.add(circuit.counts());
      }
    }
    return counts;
  }

  /** Forgets a circuit that ended. */
  synchronized void remove(Circuit circuit, long nowNanos) {
    circuit.setEnded();
    if (circuit.isConnected()) {
      ended.add(circuit);
    }
    if (ended.size() > MOST_ENDED) {
      ended.remove();
    }
    circuits.remove(circuit.server(), circuit);
    backOff.ended(circuit, nowNanos);
  }
}
