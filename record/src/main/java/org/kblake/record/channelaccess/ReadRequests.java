package org.kblake.record.channelaccess;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.channelaccess.message.Requests;
import org.kblake.record.source.PacketBudget;

/**
 * What is to be read once, and the rate at which that happens: metadata, and the present values of
 * channels whose server was silent. The sender owns it.
 */
final class ReadRequests {

  private static final int PER_SECOND = 1000;
  private static final long RETRY_NANOS = 60_000_000_000L;
  private static final int MOST_FAILURES = 4;

  private record Retry(ClientChannel channel, long dueNanos) {}

  private final Deque<ClientChannel> values = new ArrayDeque<>();
  private final Deque<ClientChannel> metadata = new ArrayDeque<>();
  private final Deque<Retry> retries = new ArrayDeque<>();
  private final PacketBudget budget;

  ReadRequests(long nowNanos) {
    budget = new PacketBudget(PER_SECOND, nowNanos);
  }

  void addValue(ClientChannel channel) {
    values.add(channel);
  }

  void addMetadata(ClientChannel channel) {
    metadata.add(channel);
  }

  /**
   * Lets metadata be read once more in a minute.
   *
   * @return false if it failed too often
   */
  boolean retry(ClientChannel channel, long nowNanos) {
    boolean isPlanned = channel.failRead() < MOST_FAILURES;
    if (isPlanned) {
      retries.add(new Retry(channel, nowNanos + RETRY_NANOS));
    }
    return isPlanned;
  }

  /** Returns whether nothing is to be read before a minute is over. */
  boolean isEmpty() {
    return values.isEmpty() && metadata.isEmpty();
  }

  /**
   * Appends the next request to the output of its circuit.
   *
   * @return the circuit, or null if nothing may be asked now
   */
  @Nullable Circuit next(long nowNanos) {
    while (!retries.isEmpty() && nowNanos - retries.element().dueNanos() >= 0) {
      metadata.add(retries.remove().channel());
    }
    while (!isEmpty() && budget.isOpen(nowNanos)) {
      boolean isValue = !values.isEmpty();
      ClientChannel channel = (isValue ? values : metadata).remove();
      Circuit circuit = channel.circuit();
      if (circuit != null && channel.state() == ClientChannel.State.CONNECTED) {
        budget.take(1);
        if (isValue) {
          read(circuit, channel, Requests.timeType(channel.type()), channel.requestedCount());
        } else {
          readMetadata(circuit, channel);
        }
        return circuit;
      }
    }
    return null;
  }

  private static void read(Circuit circuit, ClientChannel channel, int type, int count) {
    Requests.read(circuit.output().with(Requests.LARGEST), channel.numbers(), type, count);
  }

  private static void readMetadata(Circuit circuit, ClientChannel channel) {
    if (channel.isDescription()) {
      read(circuit, channel, ValueType.STRING.code(), 1);
      return;
    }
    read(circuit, channel, Requests.controlType(channel.type()), 1);
    String field = field(channel.name());
    if (channel.description() == null && field.length() <= Requests.LARGEST_NAME) {
      ClientChannel description = new ClientChannel(~channel.id(), field);
      description.assign(circuit);
      channel.setDescription(description);
      Requests.createChannel(circuit.output().with(Requests.NAMED), description.id(), field);
    }
  }

  private static String field(String name) {
    int dot = name.indexOf('.');
    return (dot < 0 ? name : name.substring(0, dot)) + ".DESC";
  }
}
