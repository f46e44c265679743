package org.kblake.record.group;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;

/** A source, and the groups to which its events go. For the polling thread. */
final class EventRoutes {

  /** The most events of a call that should not take long. */
  static final int BATCH = 10_000;

  private final ChannelSource source;
  private final GroupListener listener;
  private final long flushNanos;
  private final List<GatheredGroup> groups = new ArrayList<>();

  /** Groups of channels that were closed, of which the ring may have events. */
  private final Set<GatheredGroup> leaving = new LinkedHashSet<>();

  /** Groups that end once the ring has no event of their channels. */
  private final Set<GatheredGroup> ending = new LinkedHashSet<>();

  /** The groups of all channels, by their numbers. */
  private @Nullable GatheredGroup[] groupOf = new GatheredGroup[0];

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
      if (channel.number >= groupOf.length) {
        int length = Math.max(2 * groupOf.length, channel.number + 1);
        groupOf = Arrays.copyOf(groupOf, length);
        channels = Arrays.copyOf(channels, length);
      }
      groupOf[channel.number] = work;
      channels[channel.number] = channel;
    }
    if (!groups.contains(work)) {
      groups.add(work);
    }
    if (!work.recording().leaving().isEmpty()) {
      leaving.add(work);
      poll(BATCH);
    }
  }

  /** Closes the channels of a group that no other thread has, and ends it after their events. */
  void end(GatheredGroup work) {
    work.recording().records().channels().forEach(channel -> source.close(channel.number));
    ending.add(work);
  }

  /** Forgets a group that has ended. */
  void remove(GatheredGroup work) {
    work.discard();
    groups.remove(work);
    leaving.remove(work);
    for (int number = 0; number < groupOf.length; number++) {
      if (groupOf[number] == work) {
        groupOf[number] = null;
        channels[number] = null;
      }
    }
  }

  /** Hands events to their groups. Returns their number. */
  int poll(int limit) {
    int events = source.poll(this::take, limit);
    if (events < limit && !leaving.isEmpty()) {
      leaving.forEach(work -> work.soon(work.recording().leaving()::ringRead));
      leaving.clear();
    }
    if (events < limit && !ending.isEmpty()) {
      ending.forEach(GatheredGroup::endSoon);
      ending.clear();
    }
    return events;
  }

  private void take(ChannelEvent event) {
    int channel = event.channel();
    GatheredGroup group = channel < groupOf.length ? groupOf[channel] : null;
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
