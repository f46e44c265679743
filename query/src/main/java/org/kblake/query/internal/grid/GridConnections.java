package org.kblake.query.internal.grid;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.kblake.core.model.EventState;

/** The connection events of a group that a grid comes with, brought into the order of time. */
public final class GridConnections {

  private static final int EVENT_BYTES = 64;

  private final List<Event> events = new ArrayList<>();
  private final List<Connection> present = new ArrayList<>();

  /** What the list has before this was taken already. */
  private int next;

  private boolean sorted = true;

  /** A connection event, whose channel is counted as its group counts. */
  public record Connection(long nanos, int channel, EventState state) {}

  /** A connection event with its order key, which no other event has. */
  private record Event(long nanos, long orderKey, long order, int tie, int channel, int state)
      implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
      if (nanos != other.nanos) {
        return Long.compare(nanos, other.nanos);
      }
      if (orderKey != other.orderKey) {
        return Long.compare(orderKey, other.orderKey);
      }
      if (order != other.order) {
        return Long.compare(order, other.order);
      }
      return tie != other.tie
          ? Integer.compare(tie, other.tie)
          : Integer.compare(channel, other.channel);
    }
  }

  /** About how many bytes the events take that are not taken yet. */
  long bytes() {
    return (long) EVENT_BYTES * (events.size() - next);
  }

  void add(long nanos, long orderKey, long order, int tie, int channel, int state) {
    events.subList(0, next).clear();
    next = 0;
    events.add(new Event(nanos, orderKey, order, tie, channel, state));
    sorted = false;
  }

  /** Goes on to a time: takes the events that are not later. */
  void goTo(long nanos) {
    present.clear();
    if (!sorted) {
      Collections.sort(events);
      sorted = true;
    }
    Event before = null;
    while (next < events.size() && events.get(next).nanos() <= nanos) {
      Event event = events.get(next++);
      // what stands for a block that failed tells some of its events once more
      if (before == null || event.compareTo(before) != 0) {
        present.add(new Connection(event.nanos(), event.channel(), EventState.of(event.state())));
      }
      before = event;
    }
  }

  /** The events behind the time before the last one gone to, and up to that. */
  public List<Connection> present() {
    return present;
  }
}
