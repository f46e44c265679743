package org.kblake.server.internal.api;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.query.TrendReader;
import org.kblake.query.question.Aggregate;

/** The bins of one channel that have events or a held value, as they are written. */
final class BinColumns {

  /** The aggregates of numbers, and their names in the answer. */
  private static final Map<Aggregate, String> NAMES = new EnumMap<>(Aggregate.class);

  static {
    NAMES.put(Aggregate.COUNT, "count");
    NAMES.put(Aggregate.NAN, "nan");
    NAMES.put(Aggregate.FIRST, "first");
    NAMES.put(Aggregate.FIRST_TIME, "firstTime");
    NAMES.put(Aggregate.LAST, "last");
    NAMES.put(Aggregate.LAST_TIME, "lastTime");
    NAMES.put(Aggregate.MIN, "min");
    NAMES.put(Aggregate.MIN_TIME, "minTime");
    NAMES.put(Aggregate.MAX, "max");
    NAMES.put(Aggregate.MAX_TIME, "maxTime");
    NAMES.put(Aggregate.MEAN, "mean");
    NAMES.put(Aggregate.TIME_MEAN, "timeMean");
    NAMES.put(Aggregate.KNOWN, "known");
    NAMES.put(Aggregate.SEVERITY, "severity");
  }

  /** The aggregates of channels whose values are numbers. */
  static final List<Aggregate> OF_NUMBERS = List.copyOf(NAMES.keySet());

  /** The aggregates of enums, texts and lists. */
  static final List<Aggregate> OF_ALL =
      OF_NUMBERS.stream().filter(Aggregate::isOfAllTypes).toList();

  /** The time of a figure that a bin does not have. */
  private static final long NO_TIME = Long.MIN_VALUE;

  private final int channel;
  private final List<Aggregate> aggregates;
  private final Map<Aggregate, double[]> numbers = new EnumMap<>(Aggregate.class);
  private final Map<Aggregate, long[]> integers = new EnumMap<>(Aggregate.class);
  private final Map<Aggregate, @Nullable Object[]> values = new EnumMap<>(Aggregate.class);
  private long[] times = {};
  private boolean[] incomplete = {};
  private int count;
  private long events;
  private final ElementBudget budget;

  /**
   * @param channel the number of the channel in its reader
   */
  BinColumns(int channel, List<Aggregate> aggregates, ElementBudget budget) {
    this.channel = channel;
    this.budget = budget;
    this.aggregates = aggregates;
    for (Aggregate aggregate : aggregates) {
      if (isInteger(aggregate)) {
        integers.put(aggregate, new long[0]);
      } else if (isRow(aggregate)) {
        values.put(aggregate, new @Nullable Object[0]);
      } else {
        numbers.put(aggregate, new double[0]);
      }
    }
  }

  private static boolean isInteger(Aggregate aggregate) {
    return aggregate.isTime()
        || aggregate == Aggregate.COUNT
        || aggregate == Aggregate.NAN
        || aggregate == Aggregate.SEVERITY;
  }

  private boolean isRow(Aggregate aggregate) {
    return !aggregates.contains(Aggregate.MIN)
        && (aggregate == Aggregate.FIRST || aggregate == Aggregate.LAST);
  }

  /** Returns the number of events in all bins. */
  long events() {
    return events;
  }

  /** Adds the reader's bin, if it has something. */
  void add(TrendReader trend) {
    long inBin = trend.count(channel);
    boolean isHeld =
        aggregates.contains(Aggregate.TIME_MEAN) && trend.has(channel, Aggregate.TIME_MEAN);
    if (inBin == 0 && !isHeld && trend.isComplete(channel)) {
      return;
    }
    if (count == times.length) {
      grow();
    }
    events += inBin;
    times[count] = trend.timeNanos();
    incomplete[count] = !trend.isComplete(channel);
    integers.forEach((aggregate, column) -> column[count] = integer(trend, aggregate));
    numbers.forEach(
        (aggregate, column) ->
            column[count] =
                trend.has(channel, aggregate) ? trend.number(channel, aggregate) : Double.NaN);
    values.forEach((aggregate, column) -> column[count] = value(trend, aggregate));
    count++;
  }

  private long integer(TrendReader trend, Aggregate aggregate) {
    return trend.has(channel, aggregate)
        ? trend.integer(channel, aggregate)
        : aggregate.isTime() ? NO_TIME : 0;
  }

  private @Nullable Object value(TrendReader trend, Aggregate aggregate) {
    if (!trend.has(channel, aggregate)) {
      return null;
    }
    if (trend.isNumber(channel)) {
      return trend.number(channel, aggregate);
    }
    EventColumns columns = trend.columns(channel, aggregate);
    budget.require(columns, 0);
    return columns.value(0);
  }

  private void grow() {
    int size = Math.max(64, 2 * count);
    times = Arrays.copyOf(times, size);
    incomplete = Arrays.copyOf(incomplete, size);
    integers.replaceAll((aggregate, column) -> Arrays.copyOf(column, size));
    numbers.replaceAll((aggregate, column) -> Arrays.copyOf(column, size));
    values.replaceAll((aggregate, column) -> Arrays.copyOf(column, size));
  }

  /** Writes the columns as an object. A figure that a bin does not have is null. */
  void write(JsonAnswer json) throws IOException {
    json.name("time").array(out -> writeTimes(out, times));
    for (Aggregate aggregate : aggregates) {
      json.name(NAMES.getOrDefault(aggregate, aggregate.text()))
          .array(out -> writeColumn(out, aggregate));
    }
    json.name("incomplete")
        .array(
            out -> {
              for (int i = 0; i < count; i++) {
                out.bool(incomplete[i]);
              }
            });
  }

  private void writeColumn(JsonAnswer json, Aggregate aggregate) throws IOException {
    long[] whole = integers.get(aggregate);
    double[] number = numbers.get(aggregate);
    @Nullable Object[] value = values.get(aggregate);
    if (whole != null && aggregate.isTime()) {
      writeTimes(json, whole);
    }
    for (int i = 0; i < count; i++) {
      if (whole != null && !aggregate.isTime()) {
        json.integer(whole[i]);
      } else if (number != null) {
        json.number(number[i]);
      } else if (value != null) {
        Object at = value[i];
        if (at == null) {
          json.nothing();
        } else {
          json.value(at);
        }
      }
    }
  }

  private void writeTimes(JsonAnswer json, long[] nanos) throws IOException {
    for (int i = 0; i < count; i++) {
      if (nanos[i] == NO_TIME) {
        json.nothing();
      } else {
        json.time(nanos[i]);
      }
    }
  }
}
