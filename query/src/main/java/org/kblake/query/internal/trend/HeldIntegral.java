package org.kblake.query.internal.trend;

import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.rollup.RollupColumn;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.core.internal.sums.ScaledSums;
import org.kblake.core.model.EpochNanos;

/**
 * The integral of the value that one channel holds, and its known time, in each bin of a window.
 * Value events are added in log order. Each is held until the earliest time of the events after it,
 * which {@link BackwardEvents} knows from a pass before. A value that is NaN, or older than the
 * look-back, is not known.
 */
final class HeldIntegral {

  private final TrendWindow window;
  private final long lookBackNanos;
  private final KnownSpans known;
  private final BackwardEvents backward;
  private final @Nullable ConditionTimes times;
  private final ScaledSums sums;
  private final long[] knownNanos;

  /** The number of value events so far. */
  private long place;

  private int kept;
  private int span;

  private boolean open;
  private long openNanos;
  private double openValue;

  /** The earliest time of an event that is behind the next one. */
  private long openEndNanos;

  /**
   * @param times receives each interval with its value; null for none
   */
  HeldIntegral(
      TrendWindow window,
      long lookBackNanos,
      KnownSpans known,
      BackwardEvents backward,
      @Nullable ConditionTimes times) {
    this.window = window;
    this.lookBackNanos = lookBackNanos;
    this.known = known;
    this.backward = backward;
    this.times = times;
    sums = new ScaledSums(window.bins(), false);
    knownNanos = new long[window.bins()];
  }

  /** Passes over an event, because the value at the begin of the window is of a later event. */
  void skip() {
    place++;
  }

  /** Sets the value at the begin of the window. Its event is before the next one in log order. */
  void begin(long nanos, double value) {
    open = true;
    openNanos = nanos;
    openValue = value;
    kept = backward.next(kept, place);
    openEndNanos = backward.nanos(kept);
  }

  /** Adds the next value event in log order. */
  void add(long nanos, double value) {
    close(nanos);
    place++;
    begin(nanos, value);
  }

  /**
   * Adds a row of a rollup in place of its events, which are the next ones in log order.
   *
   * @return false, without adding it, if an event behind the row is earlier than its last one, or
   *     if not all of its time is known; then its events are to be added
   */
  boolean add(RollupRows rows, int row) {
    long first = rows.integer(RollupColumn.FIRST_TIME, row);
    long last = rows.integer(RollupColumn.LAST_TIME, row);
    long numbers = rows.numbers(row);
    if (backward.nanos(backward.next(kept, place + numbers)) < last) {
      return false;
    }
    if (first < last) {
      int at = known.next(span, first);
      if (at == known.count() || known.from(at) > first || known.to(at) < last) {
        return false;
      }
    }
    close(first);
    if (first < last) {
      int bin = window.binOf(first);
      long nanos = last - first;
      sums.add(bin, rows.number(RollupColumn.INTEGRAL, row) / (nanos / 1e9), (double) nanos);
      knownNanos[bin] += nanos;
    }
    place += numbers;
    begin(last, rows.number(RollupColumn.LAST, row));
    return true;
  }

  /** Adds the time of the last value. */
  void end() {
    close(window.toNanos());
  }

  private void close(long nextNanos) {
    if (!open || Double.isNaN(openValue)) {
      return;
    }
    long oldest = EpochNanos.plus(EpochNanos.plus(openNanos, lookBackNanos), 1);
    long from = Math.max(openNanos, window.fromNanos());
    long to = Math.min(Math.min(nextNanos, openEndNanos), Math.min(oldest, window.toNanos()));
    if (from >= to) {
      return;
    }
    span = known.next(span, from);
    for (int i = span; i < known.count() && known.from(i) < to; i++) {
      addToBins(Math.max(from, known.from(i)), Math.min(to, known.to(i)));
    }
  }

  private void addToBins(long from, long to) {
    if (times != null) {
      times.add(from, to, openValue);
    }
    long at = from;
    for (int bin = window.binOf(from); at < to; bin++) {
      long end = Math.min(to, window.binEndNanos(bin));
      sums.add(bin, openValue, (double) (end - at));
      knownNanos[bin] += end - at;
      at = end;
    }
  }

  long knownNanos(int bin) {
    return knownNanos[bin];
  }

  /** Returns the mean of the held value in a bin whose known time is not 0. */
  double mean(int bin) {
    return sums.mean(bin, (double) knownNanos[bin]);
  }
}
