package org.kblake.query.internal.trend;

import java.util.Arrays;

/**
 * The value events of one channel that are earlier than the event before them in log order.
 *
 * <p>An event is held until the earliest time of all events after it in log order. This is the time
 * of the next event, or of one of these. Of these only those matter that are earlier than every one
 * after them. So places and times are kept on a stack, on which both ascend. A channel without
 * disorder has none.
 */
final class BackwardEvents {

  private long[] places = {};
  private long[] times = {};
  private int used;
  private long count;
  private long lastNanos = Long.MIN_VALUE;

  /** Adds the next value event in log order. */
  void add(long nanos) {
    if (nanos < lastNanos) {
      push(nanos);
    }
    lastNanos = nanos;
    count++;
  }

  /** Adds value events whose times ascend from a first to a last one. */
  void addAscending(long firstNanos, long toNanos, long events) {
    add(firstNanos);
    lastNanos = toNanos;
    count += events - 1;
  }

  private void push(long nanos) {
    while (used > 0 && times[used - 1] >= nanos) {
      used--;
    }
    if (used == places.length) {
      places = Arrays.copyOf(places, Math.max(4, 2 * used));
      times = Arrays.copyOf(times, places.length);
    }
    places[used] = count;
    times[used++] = nanos;
  }

  /** Returns the number of value events. */
  long count() {
    return count;
  }

  /** Returns the first kept event at a place or behind it, from a number on. */
  int next(int from, long place) {
    int at = from;
    while (at < used && places[at] < place) {
      at++;
    }
    return at;
  }

  /** Returns the time of a kept event; {@link Long#MAX_VALUE} if there is none. */
  long nanos(int kept) {
    return kept < used ? times[kept] : Long.MAX_VALUE;
  }
}
