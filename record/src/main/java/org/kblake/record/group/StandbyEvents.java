package org.kblake.record.group;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventMemory;
import org.kblake.record.source.WaitingEvents;
import org.kblake.record.standby.ActiveLog;
import org.kblake.record.standby.ChannelHistory;

/**
 * The last events that a standby received, in order, for a time. Of each channel the last state
 * before them stays. For one thread.
 */
final class StandbyEvents {

  /** The time is divided into so many intervals, one of which leaves at a time. */
  private static final int INTERVALS = 60;

  /** So many bytes stay when memory is short. */
  private static final long OWN_BYTES = 1 << 18;

  private final EventMemory memory;
  private final long intervalNanos;
  private final Deque<Interval> intervals = new ArrayDeque<>();
  private final Map<Integer, ChannelHistory> channels = new HashMap<>();
  private long left;
  private boolean hasLeft;
  private long leftUntilNanos;

  /** Events of one interval of the time. */
  private record Interval(WaitingEvents events, long begunNanos) {}

  /**
   * @param keepNanos how long an event stays at least
   */
  StandbyEvents(EventMemory memory, long keepNanos) {
    this.memory = memory;
    intervalNanos = Math.max(1, keepNanos / INTERVALS);
  }

  /** Returns the number of events. */
  long size() {
    return intervals.stream().mapToLong(interval -> interval.events.size()).sum();
  }

  /**
   * Appends a copy of an event. Old ones leave if more than half of the memory is in use.
   *
   * @param nowNanos of the monotonic clock
   */
  void put(ChannelEvent event, long nowNanos) {
    Interval last = intervals.peekLast();
    if (last == null || nowNanos - last.begunNanos >= intervalNanos) {
      last = new Interval(new WaitingEvents(memory), nowNanos);
      intervals.add(last);
    }
    long bytes = last.events.bytes();
    last.events.put(event);
    if (last.events.bytes() != bytes) {
      while (memory.isHalfUsed() && intervals.size() > 1 && bytes() > OWN_BYTES) {
        removeFirst();
      }
    }
  }

  private long bytes() {
    return intervals.stream().mapToLong(interval -> interval.events.bytes()).sum();
  }

  private void removeFirst() {
    Interval first = intervals.remove();
    left += first.events.size();
    hasLeft = true;
    leftUntilNanos = first.begunNanos + intervalNanos;
    first.events.drain(event -> history(event).pass(event));
  }

  /** Returns whether an event that was received at a time, or later, has left. */
  boolean hasLeftSince(long nanos) {
    return hasLeft && leftUntilNanos - nanos > 0;
  }

  /**
   * Lets old events leave.
   *
   * @param nowNanos of the monotonic clock
   * @return the number of those that left since the last call
   */
  long trim(long nowNanos) {
    for (Interval first = intervals.peek();
        first != null && nowNanos - first.begunNanos >= (INTERVALS + 1) * intervalNanos;
        first = intervals.peek()) {
      removeFirst();
    }
    long events = left;
    left = 0;
    return events;
  }

  /** Forgets all events. Returns their number. */
  long leave() {
    long events = size();
    intervals.forEach(interval -> interval.events.drain(event -> {}));
    intervals.clear();
    channels.clear();
    return events;
  }

  private ChannelHistory history(ChannelEvent event) {
    return channels.computeIfAbsent(event.channel(), number -> new ChannelHistory());
  }

  /** Hands out all events, which stay. */
  private void each(EventHandler handler) {
    for (Interval interval : new ArrayList<>(intervals)) {
      WaitingEvents copy = new WaitingEvents(memory);
      intervals.remove();
      interval.events.drain(
          event -> {
            copy.put(event);
            handler.handle(event);
          });
      intervals.add(new Interval(copy, interval.begunNanos));
    }
  }

  /**
   * Finds which events are not in a log, so that each {@link ChannelHistory} knows its states
   * there.
   *
   * @param clocksNanos so far the clocks of the two recorders may differ
   * @param names returns the name of a channel by its number
   */
  void compare(ActiveLog log, long clocksNanos, Names names) {
    channels.values().forEach(ChannelHistory::forget);
    channels.forEach((number, history) -> history.begin(log, names.name(number), clocksNanos));
    each(event -> history(event).begin(log, names.name(event.channel()), clocksNanos).look(event));
    channels.values().forEach(ChannelHistory::again);
    each(event -> history(event).lookAgain(event));
    channels.values().forEach(ChannelHistory::again);
    each(event -> history(event).passWritten(event));
    channels.values().forEach(ChannelHistory::end);
  }

  /** Returns the name of a channel by its number. */
  interface Names {
    String name(int channel);
  }

  /** Returns what is known of a channel. */
  ChannelHistory history(int channel) {
    return channels.computeIfAbsent(channel, number -> new ChannelHistory());
  }

  /**
   * Hands out the events that are not in the log, after {@link #compare}, and forgets all.
   *
   * @return the number of those that are in the log
   */
  long drain(EventHandler handler) {
    long[] written = {0};
    channels.values().forEach(history -> history.handOut(handler));
    for (Interval interval = intervals.poll(); interval != null; interval = intervals.poll()) {
      interval.events.drain(
          event -> {
            if (history(event).isNew()) {
              handler.handle(event);
            } else {
              written[0] += 1 + event.lostBefore();
            }
          });
    }
    channels.clear();
    return written[0];
  }
}
