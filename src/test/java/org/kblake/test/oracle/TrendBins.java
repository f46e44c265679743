package org.kblake.test.oracle;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ReaderBins;
import org.kblake.query.TrendReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.TrendQuery;

/**
 * Aggregates of bins, and the same computed slowly from the events of {@link NaiveReader}, as the
 * definitions state them, with decimals of 60 digits.
 */
public final class TrendBins {

  private static final MathContext DIGITS = new MathContext(60);

  private TrendBins() {}

  /**
   * A bin of a channel.
   *
   * @param exact the aggregates that are exact, as text
   * @param close those that have an error, empty if the bin does not have it
   * @param most the largest absolute value of the events, and of the held values
   */
  public record Bin(
      String place, Map<Aggregate, String> exact, Map<Aggregate, Double> close, double[] most) {}

  /**
   * An answer.
   *
   * @param complete whether each bin was read as a whole
   * @param rollupRows the number of rows of rollups that took the place of events
   */
  public record Answer(
      List<Channel> channels,
      List<Bin> bins,
      List<Boolean> complete,
      CoverageReport coverage,
      long rollupRows) {}

  public static Answer read(ArchiveReader archive, TrendQuery query) throws IOException {
    List<Bin> bins = new ArrayList<>();
    List<Boolean> complete = new ArrayList<>();
    try (TrendReader trend = archive.trend(query)) {
      while (trend.next()) {
        for (int channel = 0; channel < trend.channels().size(); channel++) {
          Bin bin = bin(trend.timeNanos(), trend.endNanos(), trend.channels().get(channel));
          for (Aggregate aggregate : query.aggregates()) {
            if (trend.has(channel, aggregate)) {
              add(bin, aggregate, trend, channel);
            }
          }
          bins.add(bin);
          complete.add(trend.isComplete(channel));
        }
      }
      return new Answer(
          trend.channels(), bins, complete, trend.coverage(), ReaderBins.rollupRows(trend));
    }
  }

  private static Bin bin(long from, long to, Channel channel) {
    return new Bin(
        from + " " + to + " " + channel, new TreeMap<>(), new TreeMap<>(), new double[2]);
  }

  private static void add(Bin bin, Aggregate aggregate, TrendReader trend, int channel) {
    switch (aggregate) {
      case COUNT, NAN, SEVERITY, FIRST_TIME, LAST_TIME, MIN_TIME, MAX_TIME ->
          bin.exact().put(aggregate, Long.toString(trend.integer(channel, aggregate)));
      case MIN, MAX, KNOWN -> bin.exact().put(aggregate, text(trend.number(channel, aggregate)));
      case FIRST, LAST -> bin.exact().put(aggregate, value(trend, channel, aggregate));
      case MEAN, STD, TIME_MEAN -> bin.close().put(aggregate, trend.number(channel, aggregate));
    }
  }

  private static String value(TrendReader trend, int channel, Aggregate aggregate) {
    EventColumns row;
    try {
      return text(trend.number(channel, aggregate));
    } catch (IllegalStateException e) {
      row = trend.columns(channel, aggregate);
    }
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < row.elements(); i++) {
      elements.add(
          row.type() == ValueType.STRING
              ? new String(
                  row.text,
                  row.textStarts[i],
                  row.textStarts[i + 1] - row.textStarts[i],
                  StandardCharsets.UTF_8)
              : Long.toHexString(
                  // The upper bits of a float have no meaning.
                  row.type() == ValueType.FLOAT ? row.values[i] & 0xFFFFFFFFL : row.values[i]));
    }
    return row.type() + " " + elements;
  }

  private static String text(double number) {
    return Long.toHexString(Double.doubleToLongBits(number));
  }

  /**
   * Computes the bins of one channel.
   *
   * @param events the channel's events in log order
   * @param rows whether values are texts or lists
   * @param coverage the coverage of the answer
   */
  public static List<Bin> naively(
      TrendQuery query,
      Channel channel,
      List<NaiveReader.Event> events,
      boolean rows,
      CoverageReport coverage) {
    List<NaiveReader.Event> counted = events.stream().filter(event -> !event.stray()).toList();
    List<Bin> bins = new ArrayList<>();
    long to = query.range().toNanos();
    for (long from = query.range().fromNanos(); from < to; from += query.stepNanos()) {
      long end = Math.min(to, from + query.stepNanos());
      Bin bin = bin(from, end, channel);
      List<NaiveReader.Event> ofBin = new ArrayList<>();
      for (NaiveReader.Event event : counted) {
        if (event.state() == 2
            && event.nanos() >= from
            && event.nanos() < end
            && (query.mask() == null || query.mask().contains(event.nanos()))) {
          ofBin.add(event);
        }
      }
      addExact(bin, ofBin, rows);
      if (!rows) {
        addMoments(bin, ofBin);
        if (query.hasHeldValues()) {
          addHeld(bin, query, channel, counted, coverage, from, end);
        }
      }
      bin.exact().keySet().retainAll(query.aggregates());
      bin.close().keySet().retainAll(query.aggregates());
      bins.add(bin);
    }
    return bins;
  }

  private static void addExact(Bin bin, List<NaiveReader.Event> ofBin, boolean rows) {
    bin.exact().put(Aggregate.COUNT, Integer.toString(ofBin.size()));
    List<NaiveReader.Event> numbers = new ArrayList<>();
    int severity = -1;
    for (NaiveReader.Event event : ofBin) {
      severity = Math.max(severity, event.severity());
      if (rows || !Double.isNaN(number(event))) {
        numbers.add(event);
      }
    }
    if (severity >= 0) {
      bin.exact().put(Aggregate.SEVERITY, Integer.toString(severity));
    }
    if (!rows) {
      bin.exact().put(Aggregate.NAN, Integer.toString(ofBin.size() - numbers.size()));
    }
    if (numbers.isEmpty()) {
      return;
    }
    NaiveReader.Event first = numbers.get(0);
    NaiveReader.Event last = numbers.get(numbers.size() - 1);
    bin.exact().put(Aggregate.FIRST, value(first, rows));
    bin.exact().put(Aggregate.LAST, value(last, rows));
    bin.exact().put(Aggregate.FIRST_TIME, Long.toString(first.nanos()));
    bin.exact().put(Aggregate.LAST_TIME, Long.toString(last.nanos()));
    if (!rows) {
      NaiveReader.Event least = first;
      NaiveReader.Event most = first;
      for (NaiveReader.Event event : numbers) {
        // Double.compare orders -0.0 before 0.0.
        least = Double.compare(number(event), number(least)) < 0 ? event : least;
        most = Double.compare(number(event), number(most)) > 0 ? event : most;
      }
      bin.exact().put(Aggregate.MIN, text(number(least)));
      bin.exact().put(Aggregate.MAX, text(number(most)));
      bin.exact().put(Aggregate.MIN_TIME, Long.toString(least.nanos()));
      bin.exact().put(Aggregate.MAX_TIME, Long.toString(most.nanos()));
    }
  }

  private static String value(NaiveReader.Event event, boolean rows) {
    if (!rows) {
      return text(number(event));
    }
    List<String> elements = new ArrayList<>();
    for (Object element : event.value()) {
      elements.add(element instanceof Long bits ? Long.toHexString(bits) : String.valueOf(element));
    }
    return event.type().toUpperCase(Locale.ROOT) + " " + elements;
  }

  /** Returns the number of a value event. */
  public static double number(NaiveReader.Event event) {
    long bits = (Long) event.value().get(0);
    return switch (event.type()) {
      case "double" -> Double.longBitsToDouble(bits);
      case "float" -> Float.intBitsToFloat((int) bits);
      default -> bits;
    };
  }

  private static void addMoments(Bin bin, List<NaiveReader.Event> ofBin) {
    List<BigDecimal> numbers = new ArrayList<>();
    double infinite = 0;
    for (NaiveReader.Event event : ofBin) {
      double number = number(event);
      if (Double.isInfinite(number)) {
        infinite += number;
        numbers.add(BigDecimal.ZERO);
      } else if (!Double.isNaN(number)) {
        bin.most()[0] = Math.max(bin.most()[0], Math.abs(number));
        numbers.add(new BigDecimal(number));
      }
    }
    if (numbers.isEmpty()) {
      return;
    }
    BigDecimal count = BigDecimal.valueOf(numbers.size());
    BigDecimal mean =
        numbers.stream().reduce(BigDecimal.ZERO, (a, b) -> a.add(b, DIGITS)).divide(count, DIGITS);
    bin.close().put(Aggregate.MEAN, infinite == 0 ? mean.doubleValue() : infinite);
    if (numbers.size() > 1) {
      BigDecimal squares = BigDecimal.ZERO;
      for (BigDecimal number : numbers) {
        BigDecimal distance = number.subtract(mean, DIGITS);
        squares = squares.add(distance.multiply(distance, DIGITS), DIGITS);
      }
      BigDecimal variance = squares.divide(count.subtract(BigDecimal.ONE), DIGITS);
      bin.close()
          .put(Aggregate.STD, infinite == 0 ? variance.sqrt(DIGITS).doubleValue() : Double.NaN);
    }
  }

  /**
   * A time in which nothing changes.
   *
   * @param event the event whose number is held; null if no number is known
   */
  public record HeldTime(long from, long to, NaiveReader.@Nullable Event event) {}

  /**
   * Divides a range of time. Between two times at which anything changes, the value is that at the
   * first of them.
   *
   * @param events the channel's events in log order, without strays
   */
  public static List<HeldTime> held(
      Channel channel,
      List<NaiveReader.Event> events,
      CoverageReport coverage,
      long lookBackNanos,
      long from,
      long to) {
    TreeSet<Long> times = new TreeSet<>(List.of(from, to));
    for (NaiveReader.Event event : events) {
      times.add(Math.max(from, Math.min(to, event.nanos())));
      times.add(Math.max(from, Math.min(to, event.nanos() + lookBackNanos + 1)));
    }
    for (CoverageSpan span : coverage.spans()) {
      times.add(Math.max(from, Math.min(to, span.range().fromNanos())));
      times.add(Math.max(from, Math.min(to, span.range().toNanos())));
    }
    List<HeldTime> all = new ArrayList<>();
    for (long at : times.headSet(to)) {
      NaiveReader.Event value = null;
      NaiveReader.Event last = null;
      for (NaiveReader.Event event : events) {
        if (event.nanos() <= at) {
          last = event;
          value = event.state() == 2 ? event : value;
        }
      }
      boolean known =
          value != null
              && last != null
              && last.state() != 0
              && value.nanos() >= at - lookBackNanos
              && !Double.isNaN(number(value))
              && isAnswered(coverage, channel, at);
      all.add(new HeldTime(at, times.higher(at), known ? value : null));
    }
    return all;
  }

  private static void addHeld(
      Bin bin,
      TrendQuery query,
      Channel channel,
      List<NaiveReader.Event> events,
      CoverageReport coverage,
      long from,
      long to) {
    BigDecimal integral = BigDecimal.ZERO;
    double infinite = 0;
    long known = 0;
    List<TimeRange> ranges =
        query.mask() == null
            ? List.of(new TimeRange(from, to))
            : query.mask().and(TimeMask.of(List.of(new TimeRange(from, to)))).ranges();
    for (TimeRange range : ranges) {
      for (HeldTime held :
          held(
              channel,
              events,
              coverage,
              query.lookBackNanos(),
              range.fromNanos(),
              range.toNanos())) {
        if (held.event() == null) {
          continue;
        }
        double number = number(held.event());
        long nanos = held.to() - held.from();
        known += nanos;
        if (Double.isInfinite(number)) {
          infinite += number;
        } else {
          bin.most()[1] = Math.max(bin.most()[1], Math.abs(number));
          integral =
              integral.add(
                  new BigDecimal(number).multiply(BigDecimal.valueOf(nanos), DIGITS), DIGITS);
        }
      }
    }
    bin.exact().put(Aggregate.KNOWN, text(known / 1e9));
    if (known > 0) {
      bin.close()
          .put(
              Aggregate.TIME_MEAN,
              infinite == 0
                  ? integral.divide(BigDecimal.valueOf(known), DIGITS).doubleValue()
                  : infinite);
    }
  }

  /** Returns whether kblog was running and recorded a channel at a time that can be read. */
  static boolean isAnswered(CoverageReport coverage, Channel channel, long nanos) {
    for (CoverageSpan span : coverage.spans()) {
      if (span.group().equals(channel.group())
          && span.kind() == SpanKind.ANSWERED
          && span.range().contains(nanos)
          && !span.absent().contains(channel.name())) {
        return true;
      }
    }
    return false;
  }
}
