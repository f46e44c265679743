package org.kblake.record.group;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventMemory;
import org.kblake.record.source.WaitingEvents;
import org.kblake.record.standby.ActiveLog;
import org.kblake.record.standby.ChannelHistory;
import org.kblake.record.standby.LeftEvents;

/**
 * The last events that a standby received, in order, for a time. Where memory is full, the oldest
 * leave earlier. Of each channel the last state before them stays. For one thread.
 */
final class StandbyEvents {

  /** The time is divided into so many intervals, one of which leaves at a time. */
  private static final int INTERVALS = 6;

  /** An interval with so many bytes ends. */
  private static final long MOST_BYTES = 1 << 20;

  private final EventMemory memory;
  private final long intervalNanos;
  private final Deque<Interval> intervals = new ArrayDeque<>();
  private final Map<Integer, ChannelHistory> channels = new HashMap<>();
  private final LeftEvents gone;

  /** Events of one interval of the time. */
  private record Interval(WaitingEvents events, long begunNanos) {}

  /**
   * @param keepNanos how long an event stays at least
   */
  StandbyEvents(EventMemory memory, long keepNanos) {
    this.memory = memory;
    intervalNanos = Math.max(1, keepNanos / INTERVALS);
    gone = new LeftEvents(keepNanos);
  }

  /** Returns what has left since the last {@link #leave}. */
  LeftEvents gone() {
    return gone;
  }

  /** Returns the number of events. */
  long size() {
    return intervals.stream().mapToLong(interval -> interval.events.size()).sum();
  }

  /**
   * Appends a copy of an event.
   *
   * @param nowNanos of the monotonic clock
   * @return how many older ones left, because there is no memory for all
   */
  long put(ChannelEvent event, long nowNanos) {
    long left = 0;
    Interval last = intervals.peekLast();
    if (last == null
        || nowNanos - last.begunNanos >= intervalNanos
        || last.events.bytes() >= MOST_BYTES && last.events.needsMemory(event)) {
      last = new Interval(new WaitingEvents(memory), nowNanos);
      last.events.leaveRoom(true);
      intervals.add(last);
    }
    while (!last.events.offer(event)) {
      if (intervals.size() == 1) {
        gone.take(event.receivedNanos(), 0);
        last.events.put(event);
        return left;
      }
      left += leaveOldest();
    }
    return left;
  }

  private long leaveOldest() {
    WaitingEvents oldest = intervals.remove().events;
    long left = oldest.size();
    long unstated =
        oldest.drain(
            event -> {
              history(event).pass(event);
              gone.take(event.receivedNanos(), 1L + event.lostBefore());
            });
    takeUnstated(unstated);
    return left;
  }

  /** Takes events that found no memory, and of which no later one states the loss. */
  private void takeUnstated(long events) {
    if (events > 0) {
      gone.take(gone.latestNanos(), events);
    }
  }

  /**
   * Lets old events leave.
   *
   * @param nowNanos of the monotonic clock
   * @return their number
   */
  long trim(long nowNanos) {
    long left = 0;
    for (Interval first = intervals.peek();
        first != null && nowNanos - first.begunNanos >= (INTERVALS + 1) * intervalNanos;
        first = intervals.peek()) {
      left += leaveOldest();
    }
    return left;
  }

  /** Forgets all events. Returns their number. */
  long leave() {
    long left = size();
    intervals.forEach(interval -> interval.events.drain(event -> {}));
    intervals.clear();
    channels.clear();
    gone.clear();
    return left;
  }

  private ChannelHistory history(ChannelEvent event) {
    return channels.computeIfAbsent(event.channel(), number -> new ChannelHistory());
  }

  /** Hands out all events, which stay. */
  private void each(EventHandler handler) {
    intervals.forEach(interval -> interval.events.each(handler));
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
   * @return the number of those that are in the log, or found no memory, without those that had
   *     left and are handed out
   */
  long drain(EventHandler handler) {
    long[] written = {0};
    EventHandler again =
        event -> {
          written[0] -= 1L + event.lostBefore();
          gone.takeBack(event.receivedNanos(), 1L + event.lostBefore());
          handler.handle(event);
        };
    channels.values().forEach(history -> history.handOut(again));
    for (Interval interval = intervals.poll(); interval != null; interval = intervals.poll()) {
      long unstated =
          interval.events.drain(
              event -> {
                if (history(event).isNew()) {
                  handler.handle(event);
                } else {
                  written[0] += 1 + event.lostBefore();
                }
              });
      takeUnstated(unstated);
      written[0] += unstated;
    }
    channels.clear();
    return written[0];
  }
}
