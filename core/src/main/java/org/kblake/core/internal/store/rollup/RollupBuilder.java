package org.kblake.core.internal.store.rollup;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.sums.ScaledSums;
import org.kblake.core.model.EventState;

/**
 * Computes the finest rows of a channel's rows in one row group, in log order. The result does not
 * depend on how the rows are divided into batches. Reusable, not thread safe.
 */
public final class RollupBuilder {

  private static final int VALUES = 1024;

  private final double[] values = new double[VALUES];
  private final long[] times = new long[VALUES];
  private final long[] places = new long[VALUES];
  private final ScaledSums sums = new ScaledSums(1, true);

  /** The row of the present bin. */
  private final RollupRows open = new RollupRows(1);

  private RollupRows rows = new RollupRows(1);
  private int mostRows;
  private boolean ended;
  private long place;

  private boolean isOpen;
  private long binNanos;
  private long binEndNanos;
  private int held;

  private long count;
  private long nans;
  private long states;
  private int severity;
  private int firstSegment;
  private int lastSegment;
  private long numbers;
  private long leastKey;
  private long mostKey;
  private boolean plain;
  private long lastNanos;
  private double lastValue;
  private double integral;
  private double integralError;

  /**
   * Begins a channel's rows in a row group.
   *
   * @param events the number of its rows
   * @param firstPlace the position of its first row among the channel's rows in the block
   */
  public void begin(long events, long firstPlace) {
    mostRows = RollupLimits.present().mostRows(events);
    rows = new RollupRows(Math.min(64, mostRows));
    place = firstPlace;
    ended = false;
    isOpen = false;
  }

  /** Adds the next rows [from, to). */
  public void add(EventColumns batch, int from, int to) {
    long[] nanos = batch.timeNanos;
    int row = from;
    while (row < to && !ended) {
      if (batch.stray[row] != 0) {
        place++;
        row++;
        continue;
      }
      if (!isOpen || nanos[row] < binNanos || nanos[row] >= binEndNanos) {
        close();
        open(nanos[row], batch.segment[row]);
      }
      lastSegment = Math.max(lastSegment, batch.segment[row]);
      firstSegment = Math.min(firstSegment, batch.segment[row]);
      if (batch.state[row] != EventState.VALUE_CODE) {
        states++;
        place++;
        row++;
        continue;
      }
      int end = row + 1;
      while (end < to
          && batch.state[end] == EventState.VALUE_CODE
          && batch.stray[end] == 0
          && nanos[end] >= binNanos
          && nanos[end] < binEndNanos) {
        end++;
      }
      // Rows are in log order, so the last one has the last segment.
      lastSegment = Math.max(lastSegment, batch.segment[end - 1]);
      addValues(batch, row, end);
      place += end - row;
      row = end;
    }
  }

  private void addValues(EventColumns batch, int from, int to) {
    int worst = severity;
    for (int row = from; row < to; row++) {
      worst = Math.max(worst, batch.severity[row]);
    }
    severity = worst;
    count += to - from;
    for (int row = from; row < to; ) {
      if (held == VALUES) {
        drain();
      }
      int end = Math.min(to, row + VALUES - held);
      hold(batch, row, end, place + (row - from));
      row = end;
    }
  }

  /** Holds the numbers of rows for which there is room. */
  private void hold(EventColumns batch, int from, int to, long firstPlace) {
    long[] bits = batch.values;
    int at = held;
    switch (batch.type()) {
      case DOUBLE -> {
        for (int row = from; row < to; row++) {
          values[at++] = Double.longBitsToDouble(bits[row]);
        }
      }
      case FLOAT -> {
        for (int row = from; row < to; row++) {
          values[at++] = Float.intBitsToFloat((int) bits[row]);
        }
      }
      case SHORT, ENUM, CHAR, LONG -> {
        for (int row = from; row < to; row++) {
          values[at++] = bits[row];
        }
      }
      case STRING -> throw new IllegalArgumentException("a text is not a number");
    }
    System.arraycopy(batch.timeNanos, from, times, held, to - from);
    for (int i = 0; i < to - from; i++) {
      places[held + i] = firstPlace + i;
    }
    if (!batch.type().isInteger()) {
      at = withoutNans(at);
    }
    held = at;
  }

  /** Removes NaN from the values behind the held ones. Returns the number of values. */
  private int withoutNans(int end) {
    int at = held;
    while (at < end && !Double.isNaN(values[at])) {
      at++;
    }
    for (int i = at; i < end; i++) {
      if (Double.isNaN(values[i])) {
        nans++;
      } else {
        values[at] = values[i];
        times[at] = times[i];
        places[at] = places[i];
        at++;
      }
    }
    return at;
  }

  private void open(long nanos, int segment) {
    // Ends of bins that are no times are left to the events.
    ended |= nanos < Long.MIN_VALUE + Rollups.WIDEST || nanos > Long.MAX_VALUE - Rollups.WIDEST;
    binNanos = Math.floorDiv(nanos, Rollups.BASE) * Rollups.BASE;
    binEndNanos = binNanos + Rollups.BASE;
    isOpen = true;
    held = 0;
    count = 0;
    nans = 0;
    states = 0;
    severity = 0;
    firstSegment = segment;
    lastSegment = segment;
    numbers = 0;
    leastKey = Long.MAX_VALUE;
    mostKey = Long.MIN_VALUE;
    plain = true;
    integral = 0;
    integralError = 0;
    sums.clear(0);
  }

  /** Adds the held values to the present row. */
  private void drain() {
    if (held == 0) {
      return;
    }
    if (numbers == 0) {
      open.set(RollupColumn.FIRST, 0, values[0]);
      open.set(RollupColumn.FIRST_TIME, 0, times[0]);
      open.set(RollupColumn.FIRST_PLACE, 0, places[0]);
      lastNanos = times[0];
      lastValue = values[0];
    }
    drainExtremes();
    sums.add(0, values, held, Math.max(Math.abs(number(leastKey)), Math.abs(number(mostKey))));
    drainHeld();
    numbers += held;
    open.set(RollupColumn.LAST, 0, values[held - 1]);
    open.set(RollupColumn.LAST_TIME, 0, times[held - 1]);
    open.set(RollupColumn.LAST_PLACE, 0, places[held - 1]);
    held = 0;
  }

  private void drainExtremes() {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (int i = 0; i < held; i++) {
      long key = key(values[i]);
      least = Math.min(least, key);
      most = Math.max(most, key);
    }
    if (least < leastKey) {
      int at = indexOf(least);
      leastKey = least;
      open.set(RollupColumn.MIN, 0, values[at]);
      open.set(RollupColumn.MIN_TIME, 0, times[at]);
      open.setPlaces(0, places[at], open.placeOfMax(0));
    }
    if (most > mostKey) {
      int at = indexOf(most);
      mostKey = most;
      open.set(RollupColumn.MAX, 0, values[at]);
      open.set(RollupColumn.MAX_TIME, 0, times[at]);
      open.setPlaces(0, open.placeOfMin(0), places[at]);
    }
  }

  private int indexOf(long key) {
    int index = 0;
    while (key(values[index]) != key) {
      index++;
    }
    return index;
  }

  private void drainHeld() {
    double value = lastValue;
    long nanos = lastNanos;
    double sum = integral;
    double error = integralError;
    boolean ascends = true;
    for (int i = 0; i < held; i++) {
      ascends &= times[i] >= nanos;
      double product = value * ((times[i] - nanos) / 1e9);
      double next = sum + product;
      double added = next - sum;
      error += (sum - (next - added)) + (product - added);
      sum = next;
      value = values[i];
      nanos = times[i];
    }
    integral = sum;
    integralError = error;
    lastValue = value;
    lastNanos = nanos;
    plain &= ascends;
  }

  /** Adds the present row to the others. */
  private void close() {
    if (!isOpen) {
      return;
    }
    isOpen = false;
    drain();
    open.setCount(1);
    open.set(RollupColumn.COUNT, 0, count);
    open.set(RollupColumn.NAN, 0, nans);
    open.set(RollupColumn.STATES, 0, states);
    open.set(RollupColumn.SEVERITY, 0, severity);
    open.set(RollupColumn.FIRST_SEGMENT, 0, firstSegment);
    open.set(RollupColumn.LAST_SEGMENT, 0, lastSegment);
    double whole = integral + integralError;
    boolean isPlain = plain && states == 0 && nans == 0 && numbers > 0 && Double.isFinite(whole);
    open.setPlain(0, isPlain);
    if (numbers > 0) {
      open.set(RollupColumn.MEAN, 0, sums.mean(0, (double) numbers));
      open.set(RollupColumn.DEVIATION, 0, sums.spread(0, numbers));
    }
    if (isPlain) {
      open.set(RollupColumn.INTEGRAL, 0, whole);
      open.set(
          RollupColumn.KNOWN,
          0,
          open.integer(RollupColumn.LAST_TIME, 0) - open.integer(RollupColumn.FIRST_TIME, 0));
    }
    rows.add(open, 0, binNanos);
    ended |= rows.count() > mostRows;
  }

  /** Returns the finest rows; null if there are too many for a rollup. */
  public @Nullable RollupRows end() {
    close();
    return ended ? null : rows;
  }

  private static long key(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return bits ^ ((bits >> 63) >>> 1);
  }

  private static double number(long key) {
    return Double.longBitsToDouble(key ^ ((key >> 63) >>> 1));
  }
}
