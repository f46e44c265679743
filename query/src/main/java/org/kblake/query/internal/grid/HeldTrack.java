package org.kblake.query.internal.grid;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;

/**
 * The values that one channel holds at the next points of a grid, from its events so far.
 *
 * <p>An event counts from the first point that is not earlier than its time. At a point, the held
 * event is the last in log order of all events that count there. So an event matters only if no
 * later event in log order counts from the same point or an earlier one. Among the events that
 * matter, points and log order increase together.
 *
 * <p>Events may be offered in any order. The rows have a gap at the place of the last offered
 * event. The time to insert an event grows with its distance from the event offered before. In log
 * order it is constant. If pages are read backwards, the distance is at most a page.
 *
 * <pre>
 *   rows   0 ..  | next - 1 | next ..     beforeEnd | gap | afterFrom ..   capacity
 *          free  | held     | before the last offered     | after it
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

  /** Returns the approximate bytes of the events that matter for later points. */
  long bytes() {
    return bytes;
  }

  /** Returns how many times a kept event was moved, or skipped, for another one. */
  long moved() {
    return moved;
  }

  /**
   * Adds a value event.
   *
   * @param from the first point at which it counts
   * @param orderKey the key of its segment in log order; order and tie are its place within the
   *     segment
   * @param columns the columns with the event; the row is copied
   */
  void offer(PointSpan from, long orderKey, long order, int tie, EventColumns columns, int row) {
    moveGap(orderKey, order, tie);
    if (afterFrom < events.capacity() && events.nanos(afterFrom) <= from.atNanos()) {
      // A later event in log order counts from the same point or an earlier one. It may be the same
      // event.
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

  /** Moves the gap to the place of an event in log order. */
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

  /** Moves the gap forwards to a row. */
  private void closeGap(int from) {
    if (afterFrom < from) {
      events.move(afterFrom, beforeEnd, from - afterFrom);
      beforeEnd += from - afterFrom;
      afterFrom = from;
    }
  }

  /** Makes the gap wide enough for some more events. */
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

  /** Completes the events that were offered, before moves to points. */
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

  /** Returns the time of the next event, which must exist. */
  long nextNanos() {
    return events.nanos(next);
  }

  /**
   * Moves to a point, which is not before the previous one.
   *
   * @param nanos the point's time
   * @return whether the held event has changed
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

  /** Returns a row with the held event; null if it is a single number. */
  @Nullable EventColumns list() {
    return events.list(next - 1);
  }

  /** Returns whether no event is held, and none comes. */
  boolean isEmpty() {
    return !known && !hasNext();
  }

  /** Returns whether an event is held, and behind that of another track in log order. */
  boolean isBehind(HeldTrack other) {
    return known && (!other.known || other.events.isBefore(other.next - 1, events, next - 1));
  }

  /** Returns the bits of the held event, a single number. */
  long bits() {
    return events.bits(next - 1);
  }

  /** Returns the type of the held event, if it is a single number. */
  ValueType type() {
    return events.type(next - 1);
  }

  /** Copies the held event, a single number, into a row of columns of its type. */
  void copyTo(EventColumns columns, int row) {
    events.copyTo(next - 1, columns, row);
  }
}
