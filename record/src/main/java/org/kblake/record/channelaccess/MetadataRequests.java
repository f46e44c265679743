package org.kblake.record.channelaccess;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.kblake.record.channelaccess.message.Requests;

/**
 * The channels whose metadata is to be read, and the rate at which that happens. The sender owns
 * it.
 */
final class MetadataRequests {

  private static final int PER_SECOND = 1000;

  private final Deque<Channel> channels = new ArrayDeque<>();
  private final PacketBudget budget;

  MetadataRequests(long nowNanos) {
    budget = new PacketBudget(PER_SECOND, nowNanos);
  }

  void add(Channel channel) {
    channels.add(channel);
  }

  boolean isEmpty() {
    return channels.isEmpty();
  }

  /**
   * Appends the next request to the output of its circuit.
   *
   * @return the circuit, or null if nothing may be asked now
   */
  @Nullable Circuit next(long nowNanos) {
    while (!channels.isEmpty() && budget.isOpen(nowNanos)) {
      Channel channel = channels.remove();
      Circuit circuit = channel.circuit();
      if (circuit != null && channel.state() == Channel.State.CONNECTED) {
        budget.take(1);
        request(circuit, channel);
        return circuit;
      }
    }
    return null;
  }

  private static void request(Circuit circuit, Channel channel) {
    if (channel.isDescription()) {
      Requests.read(circuit.output().with(Requests.LARGEST), channel.numbers(), 0);
      return;
    }
    int type = Requests.controlType(channel.type());
    Requests.read(circuit.output().with(Requests.LARGEST), channel.numbers(), type);
    String field = field(channel.name());
    if (channel.description() == null && field.length() <= Requests.LARGEST_NAME) {
      Channel description = new Channel(~channel.id(), field);
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
