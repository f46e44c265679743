package org.kblake.record.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.record.group.LossReason;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.DisconnectReason;
import org.kblake.record.source.EventKind;

/**
 * The circuits, and what their servers may have dropped.
 *
 * <p>A circuit is down from its last byte on. That is stated when its channels are disconnected. If
 * the server answers again on the same circuit, the time up to then is stated, too. Else the log
 * says that the channels are disconnected.
 */
final class CircuitAccounts {

  private static final Set<DisconnectReason> DOWN =
      Set.of(
          DisconnectReason.CIRCUIT_CLOSED,
          DisconnectReason.NO_ANSWER,
          DisconnectReason.MALFORMED_MESSAGES);

  private final long backlogBytes;
  private final Statements statements;
  private final Map<String, CircuitAccount> byServer = new TreeMap<>();

  /** By the source's numbers of channels. */
  private final List<@Nullable CircuitAccount> ofChannels = new ArrayList<>();

  private long lookedNanos;
  private long lookedMonotonicNanos;

  /**
   * @param backlogBytes see {@link LedgerSettings}
   * @param wallNanos nanoseconds since 1970 UTC
   * @param monotonicNanos nanoseconds for differences
   */
  CircuitAccounts(long backlogBytes, Statements statements, long wallNanos, long monotonicNanos) {
    this.backlogBytes = backlogBytes;
    this.statements = statements;
    lookedNanos = wallNanos;
    lookedMonotonicNanos = monotonicNanos;
  }

  Collection<CircuitAccount> all() {
    return byServer.values();
  }

  /** Returns the circuit on which a channel is or was last, or null. */
  @Nullable CircuitAccount of(int channel) {
    return channel < ofChannels.size() ? ofChannels.get(channel) : null;
  }

  private CircuitAccount of(String server) {
    return byServer.computeIfAbsent(server, name -> new CircuitAccount(name, lookedNanos));
  }

  /** Takes an event of a channel. */
  void received(@Nullable Group group, ChannelEvent event) {
    if (event.kind() == EventKind.CONNECTED) {
      connected(group, event);
    } else if (event.kind() == EventKind.DISCONNECTED && DOWN.contains(event.reason())) {
      CircuitAccount circuit = of(event.channel());
      if (circuit != null && !circuit.isDown) {
        circuit.isDown = true;
        circuit.isSilent = event.reason() == DisconnectReason.NO_ANSWER;
        circuit.downNanos = event.receivedNanos();
        state(circuit, LossReason.CIRCUIT_DOWN, circuit.lastByteNanos, event.receivedNanos());
      }
    }
  }

  private void connected(@Nullable Group group, ChannelEvent event) {
    if (event.length() == 0) {
      return;
    }
    CircuitAccount circuit = of(event.server());
    while (ofChannels.size() <= event.channel()) {
      ofChannels.add(null);
    }
    ofChannels.set(event.channel(), circuit);
    if (group != null) {
      circuit.groups.add(group);
    }
    if (circuit.isDown) {
      circuit.isDown = false;
      if (circuit.isSilent) {
        state(circuit, LossReason.CIRCUIT_DOWN, circuit.downNanos, event.receivedNanos());
      }
    }
  }

  private void state(CircuitAccount circuit, LossReason reason, long fromNanos, long toNanos) {
    for (Group group : circuit.groups) {
      statements.add(new Statement(group, reason, fromNanos, toNanos, Statement.UNKNOWN));
    }
  }

  /**
   * Takes what was counted since the last call.
   *
   * @param wallNanos nanoseconds since 1970 UTC
   * @param monotonicNanos nanoseconds for differences
   */
  void look(List<CircuitCounts> counts, long wallNanos, long monotonicNanos) {
    for (CircuitCounts each : counts) {
      CircuitAccount circuit = of(each.server());
      circuit.received += each.values();
      if (each.bytes() > 0) {
        circuit.lastByteNanos = lookedNanos;
      }
      circuit.wasLateInTurn |= each.backlogBytes() > backlogBytes;
    }
    for (CircuitAccount circuit : byServer.values()) {
      if (circuit.wasLateInTurn) {
        state(circuit, LossReason.RECORDER_LATE, lookedNanos, wallNanos);
      }
      if (circuit.isDown || circuit.wasLateInTurn) {
        circuit.lateNanos += monotonicNanos - lookedMonotonicNanos;
      }
      circuit.wasLateInTurn = false;
    }
    lookedNanos = wallNanos;
    lookedMonotonicNanos = monotonicNanos;
  }
}
