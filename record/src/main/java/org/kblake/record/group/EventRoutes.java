package org.kblake.record.group;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;

/** A source, and the groups to which its events go. For the polling thread. */
final class EventRoutes {

  private final ChannelSource source;
  private final GroupListener listener;
  private final long flushNanos;
  private final List<GatheredGroup> groups = new ArrayList<>();

  /** The groups of channels that are open, by the numbers of the channels. */
  private @Nullable GatheredGroup[] open = new GatheredGroup[0];

  /** All channels by their numbers. Other threads read those of events that they were given. */
  private volatile @Nullable GroupChannel[] channels = new GroupChannel[0];

  /**
   * @param flushNanos how long events of a group gather at most
   */
  EventRoutes(ChannelSource source, GroupListener listener, long flushNanos) {
    this.source = source;
    this.listener = listener;
    this.flushNanos = flushNanos;
  }

  long flushNanos() {
    return flushNanos;
  }

  ChannelSource source() {
    return source;
  }

  List<GatheredGroup> groups() {
    return groups;
  }

  /** Opens the channels of a group's list, and closes those that it does not have. */
  void open(GatheredGroup work, List<String> names) throws OversizedListException {
    for (GroupChannel channel : work.recording().open(names, source)) {
      if (channel.number >= open.length) {
        int length = Math.max(2 * open.length, channel.number + 1);
        open = Arrays.copyOf(open, length);
        channels = Arrays.copyOf(channels, length);
      }
      open[channel.number] = work;
      channels[channel.number] = channel;
    }
    work.recording().left().forEach(channel -> open[channel.number] = null);
    if (!groups.contains(work)) {
      groups.add(work);
    }
  }

  /** Hands events to their groups. Returns their number. */
  int poll(int limit) {
    return source.poll(this::take, limit);
  }

  private void take(ChannelEvent event) {
    int channel = event.channel();
    GatheredGroup group = channel < open.length ? open[channel] : null;
    listener.received(group == null ? null : group.group(), event);
    if (group != null) {
      group.put(event);
    }
  }

  /** Returns a channel by its number, of which events were handed to its group. */
  @Nullable GroupChannel channel(int number) {
    return channels[number];
  }
}
