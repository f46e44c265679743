package org.kblake.record.group;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;

/** A source, and the groups to which its events go. For one thread. */
final class EventRoutes {

  private final ChannelSource source;
  private final GroupListener listener;
  private final List<@Nullable Route> routes = new ArrayList<>();
  private final List<GroupRecording> groups = new ArrayList<>();

  /** Where the events of a channel go. */
  private record Route(GroupRecording recorder, GroupChannel channel) {}

  EventRoutes(ChannelSource source, GroupListener listener) {
    this.source = source;
    this.listener = listener;
  }

  ChannelSource source() {
    return source;
  }

  List<GroupRecording> groups() {
    return groups;
  }

  /** Opens the channels of a group's list, and closes those that it does not have. */
  void open(GroupRecording group, List<String> names) throws OversizedListException {
    for (GroupChannel channel : group.open(names, source)) {
      while (routes.size() <= channel.number) {
        routes.add(null);
      }
      routes.set(channel.number, new Route(group, channel));
    }
    if (!groups.contains(group)) {
      groups.add(group);
    }
  }

  /** Hands events to their groups. Returns their number. */
  int poll(int limit) {
    return source.poll(this::take, limit);
  }

  private void take(ChannelEvent event) {
    int number = event.channel();
    Route route = number < routes.size() ? routes.get(number) : null;
    if (route == null || route.channel.isRemoved) {
      listener.received(null, event);
    } else {
      listener.received(route.recorder.context().group(), event);
      route.recorder.take(route.channel, event);
    }
  }

  /** Records what was received so far. */
  void drain(int batch) {
    while (poll(batch) == batch) {
      groups.forEach(GroupRecording::turn);
    }
  }

  /** Ends the logs of all groups. */
  void end() {
    for (GroupRecording group : groups) {
      group.close();
      listener.ended(group.context().group());
    }
  }
}
