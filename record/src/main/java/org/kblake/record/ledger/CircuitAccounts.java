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

  /** core-pva tells no bytes, and ends connections that are silent for half a minute. */
  private static final long LONGEST_SILENCE = 120_000_000_000L;

  private final Statements statements;
  private final Map<String, CircuitAccount> byServer = new TreeMap<>();

  /** By the source's numbers of channels. */
  private final List<@Nullable CircuitAccount> ofChannels = new ArrayList<>();

  private long lookedNanos;
  private long lookedMonotonicNanos;

  /**
   * @param wallNanos nanoseconds since 1970 UTC
   * @param monotonicNanos nanoseconds for differences
   */
  CircuitAccounts(Statements statements, long wallNanos, long monotonicNanos) {
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

  /** Forgets a group, which has no channels any more. */
  void remove(Group group) {
    byServer.values().forEach(circuit -> circuit.groups.remove(group));
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
        state(circuit, LossReason.CIRCUIT_DOWN, silentFrom(circuit, event), event.receivedNanos());
      }
    }
  }

  private static long silentFrom(CircuitAccount circuit, ChannelEvent event) {
    long known = circuit.lastByteNanos;
    return circuit.hasBytes ? known : Math.max(known, event.receivedNanos() - LONGEST_SILENCE);
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
    state(circuit, reason, fromNanos, toNanos, Statement.UNKNOWN);
  }

  private void state(
      CircuitAccount circuit, LossReason reason, long fromNanos, long toNanos, long events) {
    for (Group group : circuit.groups) {
      statements.addReceived(new Statement(group, reason, fromNanos, toNanos, events));
    }
  }

  private void drops(CircuitAccount circuit, CircuitCounts.Drops drops, long wallNanos) {
    if (drops.fromNanos() != 0) {
      circuit.lateNanos += Math.max(0, wallNanos - drops.fromNanos());
    }
    // What is counted may be known before the event that tells the circuit's first group.
    CircuitCounts.Drops all = circuit.waiting.and(drops);
    circuit.waiting = circuit.groups.isEmpty() ? drops : CircuitCounts.NO_DROPS;
    if (all.fromNanos() != 0) {
      long events = all.stated() == 0 ? Statement.UNKNOWN : all.stated();
      state(circuit, LossReason.RECORDER_LATE, all.fromNanos(), wallNanos, events);
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
      circuit.hasBytes |= each.bytes() > 0;
      if (each.bytes() > 0 || each.values() > 0) {
        circuit.lastByteNanos = lookedNanos;
      }
      drops(circuit, each.drops(), wallNanos);
    }
    for (CircuitAccount circuit : byServer.values()) {
      if (circuit.isDown) {
        circuit.lateNanos += monotonicNanos - lookedMonotonicNanos;
      }
    }
    lookedNanos = wallNanos;
    lookedMonotonicNanos = monotonicNanos;
  }
}
