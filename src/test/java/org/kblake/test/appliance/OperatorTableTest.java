package org.kblake.test.appliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.appliance.ServedFixture.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.TestStores;

/**
 * The answers of all operators on a few events, computed by hand. Bins of 10 s have several events,
 * events at both edges, none, a disconnection alone, and NaN alone.
 */
final class OperatorTableTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN =
      TimeUnit.SECONDS.toNanos(Instant.parse("2024-05-20T00:00:00Z").getEpochSecond());

  /** The root of the variance 14 / 3 of 1, 2, 6 and 3. */
  private static final String STD = "2.160247";

  @TempDir Path directory;
  private ServedFixture server;

  @BeforeEach
  void start() throws IOException {
    Path root = directory.resolve("archive");
    RecordTable records =
        new RecordTable(
            List.of(
                new RecordEntry(0, "A", ValueType.DOUBLE, 1),
                new RecordEntry(1, "ONE", ValueType.DOUBLE, 1),
                new RecordEntry(2, "MANY", ValueType.DOUBLE, 1)));
    try (LogWriter writer =
        LogWriter.create(
            root, new Group("VA", "CCG"), "20240520085800", ByteOrder.BIG_ENDIAN, records)) {
      writer.milestone(BEGIN - 100 * SECOND);
      value(writer, 1, -50, 0, 39);
      value(writer, 0, -5, 0, 4);
      value(writer, 0, 2, 0, 1);
      value(writer, 0, 4, 0, 2);
      value(writer, 0, 6, 1, 6);
      value(writer, 0, 8, 0, 3);
      value(writer, 0, 10, 0, 10);
      value(writer, 0, 19.999, 3, Double.NaN);
      writer.connection(0, BEGIN + 30 * SECOND, false, 3, 0);
      writer.connection(0, BEGIN + 35 * SECOND, true, 0, 0);
      value(writer, 0, 40, 3, Double.NaN);
      value(writer, 0, 60, 0, 7);
      for (int i = 0; i < 1000; i++) {
        value(writer, 2, 60 + i * 0.5, 0, i);
      }
      writer.milestone(BEGIN + 600 * SECOND);
    }
    TestStores.closePairs(root);
    server = ServedFixture.raw(root);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static void value(
      LogWriter writer, int ordinal, double seconds, int severity, double value)
      throws IOException {
    writer.number(
        ordinal,
        BEGIN + Math.round(seconds * SECOND),
        severity,
        0,
        Double.doubleToRawLongBits(value));
  }

  /** Returns times in seconds, values and severities. */
  private List<String> ask(String pv, long fromSeconds, long toSeconds) throws IOException {
    String text =
        server.text(data("json", pv, BEGIN + fromSeconds * SECOND, BEGIN + toSeconds * SECOND));
    List<String> samples = new ArrayList<>();
    for (JsonNode sample : new ObjectMapper().readTree(text).get(0).get("data")) {
      long seconds = sample.get("secs").longValue() - BEGIN / SECOND;
      String value = text(sample.get("val"));
      int severity = sample.get("severity").intValue();
      samples.add(seconds + " " + value + (severity == 0 ? "" : " severity " + severity));
    }
    return samples;
  }

  /** Returns a number, or a list of numbers, with seven digits. */
  private static String text(JsonNode value) {
    if (value.isArray()) {
      StringJoiner elements = new StringJoiner(",", "[", "]");
      value.forEach(element -> elements.add(text(element)));
      return elements.toString();
    }
    return value.isNumber()
        ? String.valueOf(new BigDecimal(value.toString()).round(new MathContext(7)).doubleValue())
        : value.toString();
  }

  /** Checks an operator over the range from 1 s to 60 s. */
  private void check(String operator, String... samples) throws IOException {
    assertThat(ask(operator + "(A)", 1, 60)).as(operator).containsExactly(samples);
  }

  private void checkNumbers(String operator, String... values) throws IOException {
    String[] samples = new String[values.length];
    int[] severities = {0, 1, 3, 3, 3, 3, 3, 0};
    for (int i = 0; i < values.length; i++) {
      int severity = operator.equals("count_10") && values[i].equals("0.0") ? 0 : severities[i];
      if (operator.equals("count_10") && i == 5) {
        severity = 3;
      }
      samples[i] = (10 * i - 5) + " " + values[i] + (severity == 0 ? "" : " severity " + severity);
    }
    check(operator, samples);
  }

  @Test
  void numbersOfBins() throws IOException {
    checkNumbers("mean_10", "4.0", "3.0", "10.0", "10.0", "10.0", "null", "null", "7.0");
    checkNumbers("min_10", "4.0", "1.0", "10.0", "10.0", "10.0", "null", "null", "7.0");
    checkNumbers("max_10", "4.0", "6.0", "10.0", "10.0", "10.0", "null", "null", "7.0");
    checkNumbers("count_10", "1.0", "4.0", "1.0", "0.0", "0.0", "0.0", "0.0", "1.0");
    checkNumbers("median_10", "4.0", "2.5", "10.0", "10.0", "10.0", "null", "null", "7.0");
    checkNumbers("std_10", "0.0", STD, "0.0", "0.0", "0.0", "null", "null", "0.0");
    checkNumbers("variance_10", "0.0", "4.666667", "0.0", "0.0", "0.0", "null", "null", "0.0");
    checkNumbers("popvariance_10", "0.0", "3.5", "0.0", "0.0", "0.0", "null", "null", "0.0");
    checkNumbers("jitter_10", "0.0", "0.7200823", "0.0", "0.0", "0.0", "null", "null", "0.0");
    checkNumbers("kurtosis_10", "null", "1.5", "null", "null", "null", "null", "null", "null");
    checkNumbers("skewness_10", "null", "1.19034", "null", "null", "null", "null", "null", "null");
  }

  @Test
  void firstAndLastOfBins() throws IOException {
    check("firstSample_10", "-5 4.0", "5 1.0", "15 10.0", "45 null severity 3", "65 7.0");
    check("lastSample_10", "-5 4.0", "5 3.0", "15 null severity 3", "45 null severity 3", "65 7.0");
    check(
        "firstFill_10",
        "-5 4.0",
        "5 1.0",
        "15 10.0",
        "25 10.0",
        "35 10.0",
        "45 null severity 3",
        "55 null severity 3",
        "65 7.0");
    check(
        "lastFill_10",
        "-5 4.0",
        "5 3.0",
        "15 null severity 3",
        "25 null severity 3",
        "35 null severity 3",
        "45 null severity 3",
        "55 null severity 3",
        "65 7.0");
    check(
        "meanSample_10",
        "-5 4.0",
        "5 3.0 severity 1",
        "15 10.0 severity 3",
        "45 null severity 3",
        "65 7.0");
  }

  @Test
  void listsOfBins() throws IOException {
    for (String operator : List.of("statistics_10", "optimized_6")) {
      checkNumbers(
          operator,
          "[4.0,0.0,4.0,4.0,1.0]",
          "[3.0," + STD + ",1.0,6.0,4.0]",
          "[10.0,0.0,10.0,10.0,1.0]",
          "[10.0,0.0,10.0,10.0,1.0]",
          "[10.0,0.0,10.0,10.0,1.0]",
          "[null,null,null,null,0.0]",
          "[null,null,null,null,0.0]",
          "[7.0,0.0,7.0,7.0,1.0]");
    }
    checkNumbers(
        "optimLastSample_6",
        "[4.0,0.0,4.0,4.0,1.0,4.0]",
        "[3.0," + STD + ",1.0,6.0,4.0,3.0]",
        "[10.0,0.0,10.0,10.0,1.0,10.0]",
        "[10.0,0.0,10.0,10.0,0.0,10.0]",
        "[10.0,0.0,10.0,10.0,0.0,10.0]",
        "[null,null,null,null,0.0,10.0]",
        "[10.0,0.0,10.0,10.0,0.0,10.0]",
        "[7.0,0.0,7.0,7.0,1.0,7.0]");
  }

  @Test
  void samplesThemselves() throws IOException {
    check("ncount", "1 8.0");
    check("nth_3", "2 1.0", "8 3.0", "40 null severity 3");
    List<String> all =
        List.of(
            "-5 4.0",
            "2 1.0",
            "4 2.0",
            "6 6.0 severity 1",
            "8 3.0",
            "10 10.0",
            "19 null severity 3",
            "40 null severity 3",
            "60 7.0");
    for (String operator : List.of("optimized_8", "optimLastSample_8", "nameOfNoOperator")) {
      check(operator, all.toArray(new String[0]));
    }
  }

  @Test
  void oneEventBeforeTheRangeAndNoneInIt() throws IOException {
    assertThat(ask("mean_10(ONE)", 1, 20))
        .containsExactly("-5 39.0", "5 39.0", "15 39.0", "25 39.0");
    assertThat(ask("count_10(ONE)", 1, 20)).containsExactly("-5 1.0", "5 0.0", "15 0.0", "25 0.0");
    assertThat(ask("meanSample_10(ONE)", 1, 20)).containsExactly("-5 39.0");
    assertThat(ask("lastFill_10(ONE)", 1, 20))
        .containsExactly("-5 39.0", "5 39.0", "15 39.0", "25 39.0");
    assertThat(ask("optimized_2(ONE)", 1, 20)).containsExactly("-50 39.0");
    assertThat(ask("ncount(ONE)", 1, 20)).containsExactly("1 0.0");
  }

  /** The bin before the range is left out if the range begins with a value. */
  @Test
  void eventAtTheBeginOfTheRange() throws IOException {
    assertThat(ask("mean_10(A)", 10, 29))
        .containsExactly("15 10.0 severity 3", "25 10.0 severity 3");
    // A bin of 19 s begins 1 s after the begin of this day.
    assertThat(ask("optimLastSample_1(A)", 10, 29))
        .containsExactly(
            "10 [10.0,0.0,10.0,10.0,1.0,10.0] severity 3",
            "29 [10.0,0.0,10.0,10.0,0.0,10.0] severity 3");
  }

  /** N + 1 bins meet the range, and one is before it. */
  @Test
  void optimizedHasAtMostTwoBinsMoreThanAskedFor() throws IOException {
    for (int points : new int[] {1, 2, 3, 7, 50, 99, 100, 101, 333, 499, 500}) {
      for (long from : new long[] {59, 60, 61, 63}) {
        for (String operator : List.of("optimized_", "optimLastSample_")) {
          int bins = ask(operator + points + "(MANY)", from, from + 497).size();
          assertThat(bins).as(operator + points).isLessThanOrEqualTo(points + 2);
          assertThat(bins).as(operator + points).isGreaterThanOrEqualTo(points / 2);
        }
      }
    }
  }
}
