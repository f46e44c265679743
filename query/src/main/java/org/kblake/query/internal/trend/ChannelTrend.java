package org.kblake.query.internal.trend;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.store.rollup.RollupColumn;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.core.internal.sums.ScaledSums;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.ValueType;
import org.kblake.query.question.Aggregate;

/**
 * The aggregates of one channel in the bins of a window, from its events in log order. Events that
 * follow each other in a bin are added together.
 *
 * <p>Numbers are doubles, which represent each number of a log exactly. The order of least and
 * greatest values is that of their bits as integers, with the bits of negative numbers inverted.
 */
public final class ChannelTrend {

  private static final int ROW_BYTES = 800;

  private final TrendWindow window;
  private final boolean rows;
  private final @Nullable TimeMask mask;

  private final long[] counts;
  private final long[] nans;
  private final byte[] severities;
  private final double[] firsts;
  private final double[] lasts;
  private final long[] firstNanos;
  private final long[] lastNanos;
  private final long[] leastKeys;
  private final long[] mostKeys;
  private final long[] leastNanos;
  private final long[] mostNanos;
  private final @Nullable ScaledSums sums;
  private final @Nullable EventColumns[] firstRows;
  private final @Nullable EventColumns[] lastRows;

  private @Nullable HeldIntegral held;

  /** Values of events that follow each other, without NaN. */
  private final double[] values;

  /**
   * @param rows whether values are texts or lists
   * @param mask the times whose events count; null for all
   * @param values memory for the values of a page, shared by the channels
   */
  ChannelTrend(
      TrendWindow window,
      List<Aggregate> aggregates,
      boolean rows,
      @Nullable TimeMask mask,
      double[] values) {
    this.mask = mask;
    this.window = window;
    this.rows = rows;
    this.values = values;
    int bins = window.bins();
    boolean moments = aggregates.contains(Aggregate.MEAN) || aggregates.contains(Aggregate.STD);
    boolean least =
        moments || aggregates.contains(Aggregate.MIN) || aggregates.contains(Aggregate.MIN_TIME);
    boolean most =
        moments || aggregates.contains(Aggregate.MAX) || aggregates.contains(Aggregate.MAX_TIME);
    counts = new long[bins];
    nans = new long[rows ? 0 : bins];
    severities = new byte[size(bins, aggregates.contains(Aggregate.SEVERITY))];
    firsts = new double[size(bins, !rows && aggregates.contains(Aggregate.FIRST))];
    lasts = new double[size(bins, !rows && aggregates.contains(Aggregate.LAST))];
    firstNanos = new long[size(bins, aggregates.contains(Aggregate.FIRST_TIME))];
    lastNanos = new long[size(bins, aggregates.contains(Aggregate.LAST_TIME))];
    leastKeys = new long[size(bins, least)];
    mostKeys = new long[size(bins, most)];
    Arrays.fill(leastKeys, Long.MAX_VALUE);
    Arrays.fill(mostKeys, Long.MIN_VALUE);
    leastNanos = new long[size(bins, aggregates.contains(Aggregate.MIN_TIME))];
    mostNanos = new long[size(bins, aggregates.contains(Aggregate.MAX_TIME))];
    sums = moments ? new ScaledSums(bins, aggregates.contains(Aggregate.STD)) : null;
    firstRows = new EventColumns[size(bins, rows && aggregates.contains(Aggregate.FIRST))];
    lastRows = new EventColumns[size(bins, rows && aggregates.contains(Aggregate.LAST))];
  }

  private static int size(int bins, boolean wanted) {
    return wanted ? bins : 0;
  }

  /**
   * Returns the approximate bytes of a bin.
   *
   * @param valueBytes the bytes of a value that is a text or a list; 0 for a number
   */
  static long binBytes(List<Aggregate> aggregates, long valueBytes) {
    long bytes = Long.BYTES;
    for (Aggregate aggregate : aggregates) {
      bytes +=
          switch (aggregate) {
            case FIRST, LAST -> valueBytes == 0 ? Double.BYTES : ROW_BYTES + valueBytes;
            case MEAN, STD, TIME_MEAN -> 2L * Long.BYTES + ScaledSums.BIN_BYTES;
            case COUNT, NAN, FIRST_TIME, LAST_TIME, MIN, MAX, MIN_TIME, MAX_TIME, KNOWN, SEVERITY ->
                2L * Long.BYTES;
          };
    }
    return bytes;
  }

  /** Adds the events of adjacent rows that are in the window. */
  void add(EventColumns columns, int from, int to) {
    long[] times = columns.timeNanos;
    byte[] states = columns.state;
    int row = from;
    while (row < to) {
      if (states[row] != EventState.VALUE_CODE || !window.contains(times[row])) {
        row++;
        continue;
      }
      int bin = window.binOf(times[row]);
      long begin = window.binNanos(bin);
      long last = window.binEndNanos(bin) - 1;
      if (mask != null) {
        int range = mask.indexAt(times[row]);
        if (range == mask.ranges().size() || mask.ranges().get(range).fromNanos() > times[row]) {
          row++;
          continue;
        }
        begin = Math.max(begin, mask.ranges().get(range).fromNanos());
        last = Math.min(last, mask.ranges().get(range).toNanos() - 1);
      }
      int end = row + 1;
      int most = Math.min(to, row + values.length);
      while (end < most
          && times[end] >= begin
          && times[end] <= last
          && states[end] == EventState.VALUE_CODE) {
        end++;
      }
      add(bin, columns, row, end);
      row = end;
    }
  }

  private void add(int bin, EventColumns columns, int from, int to) {
    boolean isFirst = counts[bin] == 0;
    counts[bin] += to - from;
    if (severities.length > 0) {
      byte worst = severities[bin];
      for (int row = from; row < to; row++) {
        worst = (byte) Math.max(worst, columns.severity[row]);
      }
      severities[bin] = worst;
    }
    if (rows) {
      addRows(bin, columns, from, to, isFirst);
    } else {
      addNumbers(bin, columns, from, to);
    }
  }

  private void addRows(int bin, EventColumns columns, int from, int to, boolean isFirst) {
    if (isFirst && firstRows.length > 0) {
      firstRows[bin] = copy(columns, from);
    }
    if (lastRows.length > 0) {
      lastRows[bin] = copy(columns, to - 1);
    }
  }

  private static EventColumns copy(EventColumns columns, int row) {
    EventColumns copy = new EventColumns(columns.type(), columns.waveform(), 1);
    copy.append(columns, row, row + 1);
    return copy;
  }

  private void addNumbers(int bin, EventColumns columns, int from, int to) {
    int count = takeNumbers(columns, from, to);
    boolean isFirst = counts[bin] - (to - from) == nans[bin];
    nans[bin] += to - from - count;
    if (count == 0) {
      return;
    }
    if (isFirst && firsts.length > 0) {
      firsts[bin] = values[0];
    }
    if (isFirst && firstNanos.length > 0) {
      firstNanos[bin] = nanos(columns, from, to, count, 0);
    }
    if (lasts.length > 0) {
      lasts[bin] = values[count - 1];
    }
    if (lastNanos.length > 0) {
      lastNanos[bin] = nanos(columns, from, to, count, count - 1);
    }
    if (leastKeys.length > 0) {
      long least = leastKey(count);
      if (least < leastKeys[bin]) {
        leastKeys[bin] = least;
        if (leastNanos.length > 0) {
          leastNanos[bin] = nanos(columns, from, to, count, indexOf(least));
        }
      }
    }
    if (mostKeys.length > 0) {
      long most = mostKey(count);
      if (most > mostKeys[bin]) {
        mostKeys[bin] = most;
        if (mostNanos.length > 0) {
          mostNanos[bin] = nanos(columns, from, to, count, indexOf(most));
        }
      }
    }
    if (sums != null) {
      double most = Math.max(Math.abs(number(leastKeys[bin])), Math.abs(number(mostKeys[bin])));
      sums.add(bin, values, count, most);
    }
  }

  /**
   * Adds a row of a rollup. Its time is in one bin, and its events are behind the bin's others in
   * log order.
   */
  void add(RollupRows from, int row) {
    int bin = window.binOf(from.integer(RollupColumn.BIN, row));
    boolean isFirst = counts[bin] == nans[bin];
    counts[bin] += from.integer(RollupColumn.COUNT, row);
    nans[bin] += from.integer(RollupColumn.NAN, row);
    if (severities.length > 0) {
      long worst = from.integer(RollupColumn.SEVERITY, row);
      severities[bin] = (byte) Math.max(severities[bin], worst);
    }
    if (from.numbers(row) == 0) {
      return;
    }
    if (isFirst && firsts.length > 0) {
      firsts[bin] = from.number(RollupColumn.FIRST, row);
    }
    if (isFirst && firstNanos.length > 0) {
      firstNanos[bin] = from.integer(RollupColumn.FIRST_TIME, row);
    }
    if (lasts.length > 0) {
      lasts[bin] = from.number(RollupColumn.LAST, row);
    }
    if (lastNanos.length > 0) {
      lastNanos[bin] = from.integer(RollupColumn.LAST_TIME, row);
    }
    addExtremes(bin, from, row);
    if (sums != null) {
      sums.addAll(
          bin,
          (double) from.numbers(row),
          from.number(RollupColumn.MEAN, row),
          from.number(RollupColumn.DEVIATION, row),
          from.most(row));
    }
  }

  private void addExtremes(int bin, RollupRows from, int row) {
    if (leastKeys.length > 0) {
      long least = key(from.number(RollupColumn.MIN, row));
      if (least < leastKeys[bin]) {
        leastKeys[bin] = least;
        if (leastNanos.length > 0) {
          leastNanos[bin] = from.integer(RollupColumn.MIN_TIME, row);
        }
      }
    }
    if (mostKeys.length > 0) {
      long most = key(from.number(RollupColumn.MAX, row));
      if (most > mostKeys[bin]) {
        mostKeys[bin] = most;
        if (mostNanos.length > 0) {
          mostNanos[bin] = from.integer(RollupColumn.MAX_TIME, row);
        }
      }
    }
  }

  /**
   * Takes the numbers of some rows that are not NaN.
   *
   * @return how many there are
   */
  private int takeNumbers(EventColumns columns, int from, int to) {
    long[] bits = columns.values;
    double[] into = values;
    int count = 0;
    switch (columns.type()) {
      case DOUBLE -> {
        for (int row = from; row < to; row++) {
          double value = Double.longBitsToDouble(bits[row]);
          into[count] = value;
          count += Double.isNaN(value) ? 0 : 1;
        }
      }
      case FLOAT -> {
        for (int row = from; row < to; row++) {
          float value = Float.intBitsToFloat((int) bits[row]);
          into[count] = value;
          count += Float.isNaN(value) ? 0 : 1;
        }
      }
      case SHORT, ENUM, CHAR, LONG -> {
        for (int row = from; row < to; row++) {
          into[count++] = bits[row];
        }
      }
      case STRING -> throw new IllegalArgumentException("a text is not a number");
    }
    return count;
  }

  /** Returns the number in a row; NaN for a list or a text, if the channel's type was another. */
  static double number(EventColumns columns, int row) {
    return columns.waveform() || columns.type() == ValueType.STRING
        ? Double.NaN
        : columns.type().number(columns.values[row]);
  }

  /** Returns the time of one of the values, which may have fewer rows than were read. */
  private static long nanos(EventColumns columns, int from, int to, int count, int index) {
    if (count == to - from) {
      return columns.timeNanos[from + index];
    }
    int row = from - 1;
    for (int left = index; left >= 0; left--) {
      row++;
      while (Double.isNaN(number(columns, row))) {
        row++;
      }
    }
    return columns.timeNanos[row];
  }

  private long leastKey(int count) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      least = Math.min(least, key(values[i]));
    }
    return least;
  }

  private long mostKey(int count) {
    long most = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      most = Math.max(most, key(values[i]));
    }
    return most;
  }

  private int indexOf(long key) {
    int index = 0;
    while (key(values[index]) != key) {
      index++;
    }
    return index;
  }

  /** Returns an integer that has the order of numbers. */
  private static long key(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return bits ^ ((bits >> 63) >>> 1);
  }

  private static double number(long key) {
    return Double.longBitsToDouble(key ^ ((key >> 63) >>> 1));
  }

  /** Returns whether values are texts or lists. */
  boolean isRows() {
    return rows;
  }

  /** Sets the integrals of the held value. */
  void held(HeldIntegral integral) {
    held = integral;
  }

  /** Returns the number of value events in a bin. */
  public long count(int bin) {
    return counts[bin];
  }

  private long numbers(int bin) {
    return rows ? counts[bin] : counts[bin] - nans[bin];
  }

  private long knownNanos(int bin) {
    HeldIntegral integral = held;
    return integral == null ? 0 : integral.knownNanos(bin);
  }

  /** Returns whether a bin has an aggregate. */
  public boolean has(int bin, Aggregate aggregate) {
    return switch (aggregate) {
      case COUNT, NAN, KNOWN -> true;
      case SEVERITY -> counts[bin] > 0;
      case FIRST, LAST, FIRST_TIME, LAST_TIME, MIN, MAX, MIN_TIME, MAX_TIME, MEAN ->
          numbers(bin) > 0;
      case STD -> numbers(bin) > 1;
      case TIME_MEAN -> knownNanos(bin) > 0;
    };
  }

  /** Returns an aggregate that is an integer: a number of events, a severity or a time. */
  public long integer(int bin, Aggregate aggregate) {
    return switch (aggregate) {
      case COUNT -> counts[bin];
      case NAN -> nans[bin];
      case SEVERITY -> severities[bin];
      case FIRST_TIME -> firstNanos[bin];
      case LAST_TIME -> lastNanos[bin];
      case MIN_TIME -> leastNanos[bin];
      case MAX_TIME -> mostNanos[bin];
      case FIRST, LAST, MIN, MAX, MEAN, STD, TIME_MEAN, KNOWN ->
          throw new IllegalArgumentException("not an integer: " + aggregate);
    };
  }

  /** Returns an aggregate that is a number. */
  public double number(int bin, Aggregate aggregate) {
    ScaledSums moments = sums;
    HeldIntegral integral = held;
    return switch (aggregate) {
      case FIRST -> firsts[bin];
      case LAST -> lasts[bin];
      case MIN -> number(leastKeys[bin]);
      case MAX -> number(mostKeys[bin]);
      case MEAN -> moments == null ? Double.NaN : moments.mean(bin, (double) numbers(bin));
      case STD -> moments == null ? Double.NaN : moments.deviation(bin, numbers(bin));
      case TIME_MEAN -> integral == null ? Double.NaN : integral.mean(bin);
      case KNOWN -> knownNanos(bin) / 1e9;
      case COUNT, NAN, SEVERITY, FIRST_TIME, LAST_TIME, MIN_TIME, MAX_TIME ->
          (double) integer(bin, aggregate);
    };
  }

  /** Returns the row with the first or last value of a bin, if values are texts or lists. */
  public @Nullable EventColumns row(int bin, Aggregate aggregate) {
    EventColumns[] ofBins = aggregate == Aggregate.FIRST ? firstRows : lastRows;
    return ofBins.length == 0 ? null : ofBins[bin];
  }
}
