package org.kblake.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.kblake.core.model.EventState;

/** The connection events of a group that a grid comes with, brought into the order of time. */
final class GridConnections {

  private final List<Event> events = new ArrayList<>();
  private final List<GridReader.Connection> present = new ArrayList<>();
  private boolean sorted = true;

  /** A connection event with its place in log order, which no other event has. */
  private record Event(long nanos, long place, long order, int tie, int channel, int state)
      implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
      if (nanos != other.nanos) {
        return Long.compare(nanos, other.nanos);
      }
      if (place != other.place) {
        return Long.compare(place, other.place);
      }
      if (order != other.order) {
        return Long.compare(order, other.order);
      }
      return tie != other.tie
          ? Integer.compare(tie, other.tie)
          : Integer.compare(channel, other.channel);
    }
  }

  void add(long nanos, long place, long order, int tie, int channel, int state) {
    events.add(new Event(nanos, place, order, tie, channel, state));
    sorted = false;
  }

  /** Goes on to a time: takes the events that are not later. */
  void goTo(long nanos) {
    present.clear();
    if (!sorted) {
      Collections.sort(events);
      sorted = true;
    }
    int end = 0;
    Event before = null;
    while (end < events.size() && events.get(end).nanos() <= nanos) {
      Event event = events.get(end++);
      // what stands for a block that failed tells some of its events once more
      if (before == null || event.compareTo(before) != 0) {
        present.add(
            new GridReader.Connection(
                event.nanos(), event.channel(), EventState.of(event.state())));
      }
      before = event;
    }
    events.subList(0, end).clear();
  }

  /** The events behind the time before the last one gone to, and up to that. */
  List<GridReader.Connection> present() {
    return present;
  }
}
