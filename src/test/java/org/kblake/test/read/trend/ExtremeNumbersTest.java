package org.kblake.test.read.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.TrendReader;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.TrendQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.server.ServedSample;

/**
 * Trends of numbers at both ends of what a double can hold, of NaN and of infinities, compared with
 * exact fractions: from events, from rollups of blocks, and as JSON.
 */
final class ExtremeNumbersTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long BIN = 300 * SECOND;
  private static final long BEGIN =
      TimeUnit.SECONDS.toNanos(Instant.parse("2016-05-16T00:00:00Z").getEpochSecond());
  private static final MathContext DIGITS = new MathContext(700);

  /** Events of a bin, so many that rows of rollups take their place. */
  private static final int EVENTS = 250;

  /** The numbers that are repeated in each bin. */
  private static final double[][] BINS = {
    {-1.7e308, 1.7e308, 0},
    {1.7e308, 1.7e308, -1.6e308},
    {Double.MAX_VALUE},
    {-Double.MAX_VALUE, Double.MAX_VALUE},
    {1e300, 3e300, 2e300, 9e300},
    {1e-160, 3e-160, 2e-160, 9e-160},
    {1e-300, -5e-300, 1e-300},
    {Double.MIN_VALUE, 3 * Double.MIN_VALUE, 1e-320},
    {1e160, -1e-160, 1, 2},
    {Double.NaN, 1e300, -1e-300},
    {Double.NaN},
    {1, Double.POSITIVE_INFINITY, 3},
    {Double.NEGATIVE_INFINITY, -1.7e308},
    {Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY},
    {-0.0, 0},
    {5, 7, 5},
  };

  private static final TimeRange RANGE = new TimeRange(BEGIN, BEGIN + BINS.length * BIN);

  @TempDir private static Path directory;

  private static Path root = Path.of("");

  private record Event(long nanos, double value) {}

  private static final List<Event> EVENTS_OF_ALL = events();

  private static List<Event> events() {
    List<Event> events = new ArrayList<>();
    for (int bin = 0; bin < BINS.length; bin++) {
      for (int i = 0; i < EVENTS; i++) {
        long nanos = BEGIN + bin * BIN + (i + 1) * SECOND;
        events.add(new Event(nanos, BINS[bin][i % BINS[bin].length]));
      }
    }
    return events;
  }

  @BeforeAll
  static void write() throws IOException {
    root = directory.resolve("archive");
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.DOUBLE, 1)));
    try (LogWriter writer =
        LogWriter.create(
            root, new Group("VA", "CCG"), "20160516090000", ByteOrder.LITTLE_ENDIAN, records)) {
      for (int i = 0; i < EVENTS_OF_ALL.size(); i++) {
        if (i % EVENTS == 0) {
          writer.milestone(BEGIN + i / EVENTS * BIN);
        }
        Event event = EVENTS_OF_ALL.get(i);
        writer.number(0, event.nanos, 0, 0, Double.doubleToRawLongBits(event.value));
      }
      writer.milestone(RANGE.toNanos());
    }
    TestStores.closePairs(root);
  }

  @Test
  void aggregatesOfEventsAreThoseOfExactFractions() throws Exception {
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).open()) {
      check(reader, false);
    }
  }

  @Test
  void aggregatesOfBlocksAreThoseOfExactFractions() throws Exception {
    Path store = directory.resolve("store");
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open()) {
      check(reader, true);
    }
  }

  private static void check(ArchiveReader reader, boolean stored) throws IOException {
    for (int bins : new int[] {1, 4}) {
      TrendQuery query =
          TrendQuery.of(
                  ChannelSelection.names("A"),
                  Instant.EPOCH,
                  Instant.EPOCH,
                  Duration.ofNanos(bins * BIN),
                  Aggregate.values())
              .between(RANGE);
      try (TrendReader trend = reader.trend(query)) {
        for (long from = BEGIN; from < RANGE.toNanos(); from += bins * BIN) {
          assertThat(trend.next()).isTrue();
          assertThat(trend.timeNanos()).isEqualTo(from);
          check(trend, from, from + bins * BIN, stored);
        }
      }
    }
  }

  private static void check(TrendReader trend, long from, long to, boolean stored) {
    List<Event> inBin =
        EVENTS_OF_ALL.stream().filter(each -> each.nanos >= from && each.nanos < to).toList();
    List<Event> numbers = inBin.stream().filter(each -> !Double.isNaN(each.value)).toList();
    String what =
        Arrays.toString(inBin.stream().mapToDouble(Event::value).distinct().toArray())
            + (stored ? " of blocks" : " of events");
    assertThat(trend.integer(0, Aggregate.COUNT)).as(what).isEqualTo(inBin.size());
    assertThat(trend.integer(0, Aggregate.NAN)).as(what).isEqualTo(inBin.size() - numbers.size());
    if (!numbers.isEmpty()) {
      double[] sorted = numbers.stream().mapToDouble(Event::value).sorted().toArray();
      // M4: the points of a line
      assertThat(trend.number(0, Aggregate.FIRST)).as(what).isEqualTo(numbers.get(0).value);
      assertThat(trend.number(0, Aggregate.LAST))
          .as(what)
          .isEqualTo(numbers.get(numbers.size() - 1).value);
      assertThat(trend.number(0, Aggregate.MIN)).as(what).isEqualTo(sorted[0]);
      assertThat(trend.number(0, Aggregate.MAX)).as(what).isEqualTo(sorted[sorted.length - 1]);
      assertThat(trend.integer(0, Aggregate.MIN_TIME))
          .as(what)
          .isEqualTo(first(numbers, sorted[0]));
      assertThat(trend.integer(0, Aggregate.MAX_TIME))
          .as(what)
          .isEqualTo(first(numbers, sorted[sorted.length - 1]));
      assertNear(what + " mean", trend.number(0, Aggregate.MEAN), mean(weighed(numbers)), sorted);
      assertNear(what + " std", trend.number(0, Aggregate.STD), deviation(numbers), sorted);
    }
    List<Weighed> held = held(from, to);
    double seconds = held.stream().mapToLong(Weighed::nanos).sum() / 1e9;
    if (seconds > 0) {
      assertThat(trend.number(0, Aggregate.KNOWN)).as(what).isCloseTo(seconds, offset(1e-9));
      double[] values = held.stream().mapToDouble(Weighed::value).toArray();
      assertNear(what + " held", trend.number(0, Aggregate.TIME_MEAN), mean(held), values);
    }
  }

  private static long first(List<Event> numbers, double value) {
    return numbers.stream()
        .filter(each -> Double.compare(each.value, value) == 0)
        .findFirst()
        .orElseThrow()
        .nanos;
  }

  private record Weighed(double value, long nanos) {}

  private static List<Weighed> weighed(List<Event> events) {
    return events.stream().map(each -> new Weighed(each.value, 1)).toList();
  }

  /** Returns the numbers that are held in a time, and how long. */
  private static List<Weighed> held(long from, long to) {
    List<Weighed> held = new ArrayList<>();
    for (int i = 0; i < EVENTS_OF_ALL.size(); i++) {
      Event event = EVENTS_OF_ALL.get(i);
      long next = i + 1 < EVENTS_OF_ALL.size() ? EVENTS_OF_ALL.get(i + 1).nanos : RANGE.toNanos();
      long nanos = Math.min(next, to) - Math.max(event.nanos, from);
      if (nanos > 0 && !Double.isNaN(event.value)) {
        held.add(new Weighed(event.value, nanos));
      }
    }
    return held;
  }

  private static double mean(List<Weighed> numbers) {
    double infinities =
        numbers.stream().mapToDouble(Weighed::value).filter(Double::isInfinite).sum();
    if (infinities != 0) {
      return infinities;
    }
    return exactMean(numbers).doubleValue();
  }

  private static BigDecimal exactMean(List<Weighed> numbers) {
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal weight = BigDecimal.ZERO;
    for (Weighed each : numbers) {
      BigDecimal nanos = BigDecimal.valueOf(each.nanos);
      sum = sum.add(new BigDecimal(each.value).multiply(nanos));
      weight = weight.add(nanos);
    }
    return sum.divide(weight, DIGITS);
  }

  private static double deviation(List<Event> numbers) {
    if (numbers.stream().anyMatch(each -> Double.isInfinite(each.value))) {
      return Double.NaN;
    }
    BigDecimal mean = exactMean(weighed(numbers));
    BigDecimal squares = BigDecimal.ZERO;
    for (Event each : numbers) {
      squares =
          squares.add(new BigDecimal(each.value).subtract(mean, DIGITS).pow(2, DIGITS), DIGITS);
    }
    return squares
        .divide(BigDecimal.valueOf(numbers.size() - 1L), DIGITS)
        .sqrt(DIGITS)
        .doubleValue();
  }

  private static void assertNear(String what, double found, double expected, double[] numbers) {
    if (!Double.isFinite(expected)) {
      assertThat(found).as(what).isEqualTo((Double) expected);
      return;
    }
    double largest = Arrays.stream(numbers).map(Math::abs).max().orElse(0);
    double error = Math.max(2 * Double.MIN_VALUE, 1e-12 * largest);
    assertThat(found).as(what).isCloseTo(expected, offset(error));
  }

  /** Each number of JSON is the same double again. Those that are not finite are null, or texts. */
  @Test
  void numbersOfJsonAreTheSameDoubles() throws Exception {
    try (ServedSample server = new ServedSample(root, null)) {
      String range =
          "channel=A&from="
              + Instant.ofEpochSecond(0, BEGIN)
              + "&to="
              + Instant.ofEpochSecond(0, RANGE.toNanos());
      for (String form : List.of("null", "text")) {
        JsonNode data =
            server.json("/api/v1/data?format=json&nonfinite=" + form + "&" + range).get("events");
        JsonNode trend =
            server
                .json("/api/v1/trend?points=10000&bins=16&nonfinite=" + form + "&" + range)
                .at("/channels/0/events/value");
        assertThat(data).hasSize(EVENTS_OF_ALL.size());
        assertThat(trend).hasSize(EVENTS_OF_ALL.size());
        for (int i = 0; i < EVENTS_OF_ALL.size(); i++) {
          double value = EVENTS_OF_ALL.get(i).value;
          assertSame(data.get(i).get("value"), value, form);
          assertSame(trend.get(i), value, form);
        }
      }
    }
  }

  private static void assertSame(JsonNode node, double value, String form) {
    if (Double.isFinite(value)) {
      assertThat(node.isNumber()).isTrue();
      assertThat(Double.doubleToRawLongBits(Double.parseDouble(node.asText())))
          .isEqualTo(Double.doubleToRawLongBits(value));
    } else if (form.equals("text")) {
      assertThat(node.isTextual()).isTrue();
      assertThat(Double.parseDouble(node.textValue())).isEqualTo((Double) value);
    } else {
      assertThat(node.isNull()).isTrue();
    }
  }
}
