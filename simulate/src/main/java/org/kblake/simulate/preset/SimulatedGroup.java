package org.kblake.simulate.preset;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.Group;
import org.kblake.simulate.channel.ChannelPlan;
import org.kblake.simulate.channel.SignalKind;

/**
 * One group of an archive, with its channels in the order of its record table.
 *
 * @param iocChannels the number of channels of an IOC
 */
public record SimulatedGroup(
    Group group, ByteOrder byteOrder, int iocChannels, List<PlannedChannel> channels) {

  /** The approximate size of an event without its value. */
  private static final int EVENT_BYTES = 20;

  /** The approximate size of a channel in a milestone without its value. */
  private static final int STATE_BYTES = 28;

  /** A channel and its kind. */
  public record PlannedChannel(String name, SignalKind kind) {}

  public SimulatedGroup {
    channels = List.copyOf(channels);
  }

  /**
   * @param scale the factor for the number of channels of each kind; the first kind has at least
   *     one
   */
  static SimulatedGroup of(
      String group, ByteOrder byteOrder, int iocChannels, double scale, ChannelPlan... plans) {
    List<PlannedChannel> channels = new ArrayList<>();
    for (ChannelPlan plan : plans) {
      int least = channels.isEmpty() ? 1 : 0;
      int count = Math.max(least, plan.scaledCount(scale));
      for (int i = 0; i < count; i++) {
        channels.add(new PlannedChannel(plan.name(i), plan.kind()));
      }
    }
    return new SimulatedGroup(Group.parse(group), byteOrder, iocChannels, channels);
  }

  /** Returns an estimate of the log bytes of events per second, without outages and pauses. */
  public double bytesPerSecond() {
    double sum = 0;
    for (PlannedChannel channel : channels) {
      sum += channel.kind().eventsPerSecond() * (EVENT_BYTES + valueBytes(channel.kind()));
    }
    return sum;
  }

  /** Returns an estimate of the size of a milestone with a value of every channel. */
  public long milestoneBytes() {
    long sum = 0;
    for (PlannedChannel channel : channels) {
      sum += STATE_BYTES + valueBytes(channel.kind());
    }
    return sum;
  }

  private static long valueBytes(SignalKind kind) {
    return (long) kind.elementCount() * kind.type().bytes();
  }
}
