package org.kblake.query.internal.grid;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;

/**
 * What one channel will hold at points of a grid, as far as its events were looked at.
 *
 * <p>An event counts from the first point that is not earlier than its time. At a point that event
 * is held which is last in log order of all that count by then. So an event matters only if none
 * behind it in log order counts from the same point or an earlier one: along those that matter,
 * point and log order grow together. Events may be offered in any order. They are kept with a gap
 * where the last one was put, so that an event costs as much as it is away from the one offered
 * before it: nothing in log order, and a page once where pages come backwards.
 *
 * <pre>
 *   rows   0 ..  | next - 1 | next ..     beforeEnd | gap | afterFrom ..   capacity
 *          free  | held     | before the last offered     | behind it
 * </pre>
 */
final class HeldTrack {

  private final OrderedValues events = new OrderedValues();
  private int next = 1;
  private int beforeEnd = next;
  private int afterFrom = events.capacity();
  private boolean known;
  private long bytes;
  private long moved;

  /** About how many bytes the events take that matter for later points. */
  long bytes() {
    return bytes;
  }

  /** How many times an event that was kept had to be moved, or skipped, for another one. */
  long moved() {
    return moved;
  }

  /**
   * Takes in a value event.
   *
   * @param from the point from which on it counts
   * @param orderKey of its segment in log order; order and tie are its own within
   * @param columns has it in a row, which is copied
   */
  void offer(PointSpan from, long orderKey, long order, int tie, EventColumns columns, int row) {
    moveGap(orderKey, order, tie);
    if (afterFrom < events.capacity() && events.nanos(afterFrom) <= from.atNanos()) {
      // one behind it counts from the same point or an earlier one; it may be the same event
      return;
    }
    while (beforeEnd > next && events.nanos(beforeEnd - 1) > from.afterNanos()) {
      bytes -= events.free(--beforeEnd);
    }
    reserve(1);
    events.set(beforeEnd, orderKey, order, tie, columns, row);
    bytes += events.bytes(beforeEnd);
    beforeEnd++;
  }

  /** Moves the gap to where an event belongs in log order. */
  private void moveGap(long orderKey, long order, int tie) {
    int end = beforeEnd;
    while (end > next && !events.isBefore(end - 1, orderKey, order, tie)) {
      end--;
    }
    int from = afterFrom;
    while (from < events.capacity() && events.isBefore(from, orderKey, order, tie)) {
      from++;
    }
    moved += beforeEnd - end + from - afterFrom;
    if (end < beforeEnd) {
      int rows = beforeEnd - end;
      events.move(end, afterFrom - rows, rows);
      afterFrom -= rows;
      beforeEnd = end;
    } else {
      closeGap(from);
    }
  }

  /** Moves the gap to before a row that is behind it. */
  private void closeGap(int from) {
    if (afterFrom < from) {
      events.move(afterFrom, beforeEnd, from - afterFrom);
      beforeEnd += from - afterFrom;
      afterFrom = from;
    }
  }

  /** Makes the gap wide enough for so many events that are offered next. */
  void reserve(int more) {
    if (afterFrom - beforeEnd >= more) {
      return;
    }
    int capacity = events.capacity();
    int after = capacity - afterFrom;
    int used = beforeEnd - next + 1 + after;
    if (2 * (used + more) > capacity) {
      events.grow(Math.max(2 * capacity, used + more));
    }
    afterFrom = events.capacity() - after;
    events.move(capacity - after, afterFrom, after);
    moveToFront();
  }

  private void moveToFront() {
    events.move(next - 1, 0, beforeEnd - next + 1);
    beforeEnd -= next - 1;
    next = 1;
  }

  /** Takes notice of all that was offered, so that points can be gone to. */
  void settle() {
    closeGap(events.capacity());
    while (known && hasNext() && !events.isBefore(next - 1, next)) {
      bytes -= events.bytes(next);
      events.move(next - 1, next, 1);
      next++;
    }
    if (next == beforeEnd) {
      moveToFront();
    }
  }

  boolean hasNext() {
    return next < beforeEnd;
  }

  /** The time of the next event, which there is. */
  long nextNanos() {
    return events.nanos(next);
  }

  /**
   * Goes to a point, which is not before the last one gone to.
   *
   * @param nanos the point's time
   * @return whether another event is held now
   */
  boolean goTo(long nanos) {
    boolean changed = false;
    while (hasNext() && nextNanos() <= nanos) {
      bytes -= events.bytes(next);
      events.free(next - 1);
      next++;
      changed = true;
    }
    known |= changed;
    return changed;
  }

  /** The event that is held, alone, if it is no single number. */
  @Nullable EventColumns list() {
    return events.list(next - 1);
  }

  /** What the event that is held is if it is a single number. */
  ValueType type() {
    return events.type(next - 1);
  }

  /** Writes the event that is held, a single number, into a row of columns of its type. */
  void copyTo(EventColumns columns, int row) {
    events.copyTo(next - 1, columns, row);
  }
}
