package org.kblake.cli.plot;

import java.util.Arrays;
import java.util.BitSet;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;

/**
 * The events of a numeric channel in bins: of each bin the first, the last, the least and the
 * greatest value, and whether the channel was disconnected. Events are added in log order. Memory
 * does not grow with their number.
 */
final class ChannelBins {

  private static final long CONNECTED = Long.MIN_VALUE;

  private final TimeBins bins;
  private final long lookBackNanos;
  private final boolean[] hasValues;
  private final double[] first;
  private final double[] last;
  private final long[] lastNanos;

  /** The number of the bin's last event in log order. */
  private final long[] lastPlace;

  private final double[] least;
  private final double[] greatest;
  private final BitSet disconnected = new BitSet();

  private double heldBefore = Double.NaN;
  private long heldBeforeNanos;
  private long disconnectedNanos = CONNECTED;
  private long events;

  /**
   * @param lookBackNanos the greatest age of a held value
   */
  ChannelBins(TimeBins bins, long lookBackNanos) {
    this.bins = bins;
    this.lookBackNanos = lookBackNanos;
    hasValues = new boolean[bins.count()];
    first = new double[bins.count()];
    last = new double[bins.count()];
    lastNanos = new long[bins.count()];
    lastPlace = new long[bins.count()];
    least = new double[bins.count()];
    greatest = new double[bins.count()];
    Arrays.fill(least, Double.NaN);
    Arrays.fill(greatest, Double.NaN);
  }

  /** Sets the value that the channel held before the range, and whether it was disconnected. */
  void hold(EventColumns row, boolean isDisconnected) {
    heldBefore = number(row, 0);
    heldBeforeNanos = row.timeNanos[0];
    if (isDisconnected) {
      disconnectedNanos = bins.range().fromNanos();
    }
  }

  /** Adds the rows [from, to), which are events of the range. */
  void add(EventColumns columns, int from, int to) {
    for (int row = from; row < to; row++) {
      events++;
      long nanos = columns.timeNanos[row];
      byte state = columns.state[row];
      if (state == EventState.DISCONNECTED.code()) {
        disconnectedNanos = disconnectedNanos == CONNECTED ? nanos : disconnectedNanos;
      } else if (disconnectedNanos != CONNECTED) {
        disconnectTo(nanos);
      }
      if (state == EventState.VALUE_CODE) {
        add(bins.binOf(nanos), nanos, number(columns, row));
      }
    }
  }

  private void disconnectTo(long nanos) {
    // A clock may have been set back
    int from = bins.binOf(Math.min(disconnectedNanos, nanos));
    disconnected.set(from, bins.binOf(Math.max(disconnectedNanos, nanos)) + 1);
    disconnectedNanos = CONNECTED;
  }

  private void add(int bin, long nanos, double value) {
    if (!hasValues[bin]) {
      hasValues[bin] = true;
      first[bin] = value;
    }
    last[bin] = value;
    lastNanos[bin] = nanos;
    lastPlace[bin] = events;
    // Comparisons with NaN are false
    if (!(value >= least[bin]) && !Double.isNaN(value)) {
      least[bin] = value;
    }
    if (!(value <= greatest[bin]) && !Double.isNaN(value)) {
      greatest[bin] = value;
    }
  }

  private static double number(EventColumns columns, int row) {
    long bits = columns.values[row];
    return switch (columns.type()) {
      case DOUBLE -> Double.longBitsToDouble(bits);
      case FLOAT -> Float.intBitsToFloat((int) bits);
      case SHORT, ENUM, CHAR, LONG, STRING -> bits;
    };
  }

  /** Ends the bins after the last event. */
  void finish() {
    if (disconnectedNanos != CONNECTED) {
      disconnectTo(bins.range().toNanos() - 1);
    }
  }

  /** Returns the number of events of the range, of any state. */
  long events() {
    return events;
  }

  /** Returns the least value of all bins; NaN if there is none. */
  double least() {
    return Arrays.stream(least).filter(value -> !Double.isNaN(value)).min().orElse(Double.NaN);
  }

  /** Returns the greatest value of all bins; NaN if there is none. */
  double greatest() {
    return Arrays.stream(greatest).filter(value -> !Double.isNaN(value)).max().orElse(Double.NaN);
  }

  /** Returns whether a bin has an event with a value. */
  boolean hasValues(int bin) {
    return hasValues[bin];
  }

  /** Returns the first value of a bin that has values, in log order; it may be NaN. */
  double first(int bin) {
    return first[bin];
  }

  /** Returns the last value of a bin that has values; it may be NaN. */
  double last(int bin) {
    return last[bin];
  }

  /** Returns the least value of a bin; NaN if there is none. */
  double least(int bin) {
    return least[bin];
  }

  /** Returns the greatest value of a bin; NaN if there is none. */
  double greatest(int bin) {
    return greatest[bin];
  }

  /** Returns whether the channel was disconnected at some time of a bin. */
  boolean isDisconnected(int bin) {
    return disconnected.get(bin);
  }

  /** Returns whether the channel was disconnected at some time of the range. */
  boolean hasDisconnections() {
    return !disconnected.isEmpty();
  }

  /**
   * The value that is held while a channel's bins are passed in order: of the events that are not
   * later, the last in log order. If a clock was set back, it may be in a bin before.
   */
  final class Held {

    private double value = heldBefore;
    private long sinceNanos = heldBeforeNanos;
    private long place;

    /** Returns the value held in a bin without values; NaN if none is known. */
    double at(int bin) {
      boolean isOld = bins.beginNanos(bin) - sinceNanos > lookBackNanos;
      return isOld ? Double.NaN : value;
    }

    /** Passes a bin that has values. */
    void pass(int bin) {
      if (lastPlace[bin] > place) {
        value = last[bin];
        sinceNanos = lastNanos[bin];
        place = lastPlace[bin];
      }
    }
  }

  Held held() {
    return new Held();
  }
}
