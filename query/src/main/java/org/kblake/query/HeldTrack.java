package org.kblake.query;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.kblake.core.store.EventColumns;

/**
 * What one channel will hold at points of a grid, as far as its events were looked at.
 *
 * <p>An event counts from the first point that is not earlier than its time. At a point that event
 * is held which is last in log order of all that count by then. So an event matters only if none
 * behind it in log order counts from the same point or an earlier one: along those that matter,
 * point and log order grow together. Events may be offered in any order; most come in log order and
 * are put at the end.
 */
final class HeldTrack {

  private HeldEvent[] events = {};
  private int head;
  private int size;
  private long bytes;
  private @Nullable HeldEvent held;

  /** About how many bytes the events take that matter for later points. */
  long bytes() {
    return bytes;
  }

  /** The event that is held. */
  @Nullable HeldEvent held() {
    return held;
  }

  /**
   * Takes in a value event.
   *
   * @param point from which on it counts
   * @param place of its segment in log order; order and tie are its own within
   * @param columns has it in a row, which is copied
   */
  void offer(long point, long place, long order, int tie, EventColumns columns, int row) {
    int at = size;
    while (at > head && events[at - 1].point() >= point) {
      at--;
    }
    boolean late =
        at > head && !events[at - 1].isBefore(place, order, tie)
            || at < size && events[at].point() == point && !events[at].isBefore(place, order, tie);
    if (late) {
      return;
    }
    int end = at;
    while (end < size && events[end].isBefore(place, order, tie)) {
      bytes -= events[end++].bytes();
    }
    HeldEvent event = end > at ? events[at] : new HeldEvent();
    move(end, at + 1);
    events[at] = event;
    event.set(point, place, order, tie, columns, row);
    bytes += event.bytes();
  }

  /** Moves the events from one index on to another. */
  private void move(int from, int to) {
    int length = size - from;
    if (to + length > events.length) {
      events = Arrays.copyOf(events, Math.max(to + length, Math.max(2, 2 * events.length)));
    }
    System.arraycopy(events, from, events, to, length);
    size = to + length;
  }

  /**
   * Goes to a point, which is not before the last one gone to.
   *
   * @return whether another event is held now
   */
  boolean goTo(long point) {
    boolean changed = false;
    while (head < size && events[head].point() <= point) {
      HeldEvent next = events[head++];
      bytes -= next.bytes();
      HeldEvent before = held;
      if (before == null || before.isBefore(next)) {
        held = next;
        changed = true;
      }
    }
    if (head == size) {
      head = 0;
      size = 0;
    } else if (head > 64 && head > size / 2) {
      move(head, 0);
      head = 0;
    }
    return changed;
  }
}
