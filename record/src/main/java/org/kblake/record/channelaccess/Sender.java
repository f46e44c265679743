package org.kblake.record.channelaccess;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.kblake.record.source.DisconnectReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that sends: it connects circuits, and writes what {@link Conversation} appends. */
final class Sender implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Sender.class);

  private static final long TICK_NANOS = 250_000_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Selector selector;
  private final Conversation conversation;
  private final Receiver receiver;
  private final CircuitLiveness liveness;
  private final List<InetSocketAddress> nameServers;
  private final Set<Circuit> unsent = new HashSet<>();
  private long tickNanos;
  private volatile boolean isStopped;

  /**
   * Creates a sender.
   *
   * @param selector the one of the circuits
   * @param nameServers servers to which a circuit is kept at all times
   */
  Sender(
      Selector selector,
      Conversation conversation,
      Receiver receiver,
      CircuitLiveness liveness,
      List<InetSocketAddress> nameServers) {
    this.selector = selector;
    this.conversation = conversation;
    this.receiver = receiver;
    this.liveness = liveness;
    this.nameServers = nameServers;
    tickNanos = System.nanoTime();
  }

  /** Lets the thread end. */
  void stop() {
    isStopped = true;
    selector.wakeup();
  }

  @Override
  public void run() {
    try (selector) {
      while (!isStopped) {
        long now = System.nanoTime();
        conversation.doTasks(unsent);
        if (now - tickNanos >= 0) {
          tickNanos = now + TICK_NANOS;
          tick(now);
        }
        long wait = Math.min(conversation.send(now, unsent), TICK_NANOS);
        flush();
        conversation.prepareToWait();
        selector.select(Math.max(1, wait / NANOS_PER_MILLI));
        conversation.awake();
        for (SelectionKey key : selector.selectedKeys()) {
          handle(key);
        }
        selector.selectedKeys().clear();
      }
      for (Circuit circuit : conversation.circuits().all()) {
        circuit.socket().close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("sockets can no longer be written", e);
    }
  }

  private void tick(long now) {
    for (InetSocketAddress server : nameServers) {
      Circuit circuit = conversation.circuits().to(server, now);
      if (circuit != null) {
        unsent.add(circuit);
      }
    }
    CircuitLiveness.Findings findings = liveness.check(conversation.circuits().all(), now);
    unsent.addAll(findings.asked());
    findings.silent().forEach(receiver::silence);
    for (Circuit dead : findings.dead()) {
      LOG.debug("{}: no answer", dead.server());
      end(dead, DisconnectReason.NO_ANSWER);
    }
    for (Circuit circuit : conversation.circuits().all()) {
      if (circuit.isUnused(now) && !nameServers.contains(circuit.server())) {
        end(circuit, DisconnectReason.CIRCUIT_CLOSED);
      }
    }
    conversation.tick(now);
  }

  private void handle(SelectionKey key) {
    if (!(key.attachment() instanceof Circuit circuit) || !key.isValid()) {
      return;
    }
    try {
      if (key.isConnectable()) {
        circuit.socket().finishConnect();
      }
    } catch (IOException | CancelledKeyException e) {
      LOG.debug("{}: {}", circuit.server(), e.getMessage());
      end(circuit, DisconnectReason.CIRCUIT_CLOSED);
      return;
    }
    unsent.add(circuit);
  }

  private void flush() {
    for (Circuit circuit : unsent) {
      if (circuit.isEnded() || !circuit.socket().isConnected()) {
        continue;
      }
      try {
        if (!circuit.isConnected()) {
          connected(circuit);
        }
        boolean isSent = circuit.output().flush(circuit.socket());
        SelectionKey key = circuit.socket().keyFor(selector);
        if (key != null) {
          key.interestOps(isSent ? 0 : SelectionKey.OP_WRITE);
        }
        // The receiver may close a socket at any time.
      } catch (IOException | CancelledKeyException e) {
        LOG.debug("{}: {}", circuit.server(), e.getMessage());
        end(circuit, DisconnectReason.CIRCUIT_CLOSED);
      }
    }
    unsent.clear();
  }

  private void connected(Circuit circuit) {
    circuit.setConnected();
    receiver.add(circuit);
  }

  /** The receiver ends a circuit that it knows, so that its events have an order. */
  private void end(Circuit circuit, DisconnectReason reason) {
    if (circuit.isConnected()) {
      receiver.requestEnd(circuit, reason);
      return;
    }
    try {
      circuit.socket().close();
    } catch (IOException e) {
      LOG.debug("{}: {}", circuit.server(), e.getMessage());
    }
    conversation.end(circuit, System.nanoTime());
  }
}
