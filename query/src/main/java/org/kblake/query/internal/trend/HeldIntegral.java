package org.kblake.query.internal.trend;

import org.kblake.core.internal.time.EpochNanos;

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

  HeldIntegral(TrendWindow window, long lookBackNanos, KnownSpans known, BackwardEvents backward) {
    this.window = window;
    this.lookBackNanos = lookBackNanos;
    this.known = known;
    this.backward = backward;
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
