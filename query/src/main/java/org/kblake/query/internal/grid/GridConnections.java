package org.kblake.query.internal.grid;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.kblake.core.model.EventState;

/** The connection events of a group for a grid, in time order. */
public final class GridConnections {

  private static final int EVENT_BYTES = 64;

  private final List<Event> events = new ArrayList<>();
  private final List<Connection> present = new ArrayList<>();

  /** The index of the first event that was not taken yet. */
  private int next;

  private boolean sorted = true;

  /** A connection event. The channel is the number in its group. */
  public record Connection(long nanos, int channel, EventState state) {}

  /** A connection event with its order key, which is unique. */
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

  /** Returns the approximate bytes of the events that were not taken yet. */
  long bytes() {
    return (long) EVENT_BYTES * (events.size() - next);
  }

  void add(long nanos, long orderKey, long order, int tie, int channel, int state) {
    events.subList(0, next).clear();
    next = 0;
    events.add(new Event(nanos, orderKey, order, tie, channel, state));
    sorted = false;
  }

  /** Moves to a time, and takes the events up to it. */
  void goTo(long nanos) {
    present.clear();
    if (!sorted) {
      Collections.sort(events);
      sorted = true;
    }
    Event before = null;
    while (next < events.size() && events.get(next).nanos() <= nanos) {
      Event event = events.get(next++);
      // The ranges that replace a failed block give some of its events again.
      if (before == null || event.compareTo(before) != 0) {
        present.add(new Connection(event.nanos(), event.channel(), EventState.of(event.state())));
      }
      before = event;
    }
  }

  /** Returns the events after the previous time and up to the present one. */
  public List<Connection> present() {
    return present;
  }
}
