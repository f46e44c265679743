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

  /** By the numbers of channels. Other threads read those of events that they were given. */
  private volatile @Nullable Route[] routes = new Route[16];

  /** Where the events of a channel go. */
  private record Route(GatheredGroup work, GroupChannel channel) {}

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
      if (channel.number >= routes.length) {
        routes = Arrays.copyOf(routes, Math.max(2 * routes.length, channel.number + 1));
      }
      routes[channel.number] = new Route(work, channel);
    }
    if (!groups.contains(work)) {
      groups.add(work);
    }
  }

  /** Hands events to their groups. Returns their number. */
  int poll(int limit) {
    return source.poll(this::take, limit);
  }

  private void take(ChannelEvent event) {
    Route route = route(event.channel());
    if (route == null || route.channel.isRemoved) {
      listener.received(null, event);
    } else {
      listener.received(route.work.group(), event);
      route.work.put(route.channel, event);
    }
  }

  private @Nullable Route route(int channel) {
    Route[] present = routes;
    return channel < present.length ? present[channel] : null;
  }

  /** Returns a channel by its number, of which events were handed to its group. */
  @Nullable GroupChannel channel(int number) {
    Route route = route(number);
    return route == null ? null : route.channel;
  }
}
