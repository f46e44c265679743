package org.kblake.test.appliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.kblake.test.appliance.ServedFixture.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.TestStores;

/**
 * Figures of numbers at both ends of what a double can hold, compared with exact arithmetic: sums,
 * squares and distances of them overflow or vanish.
 */
final class ExtremeValuesTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long BIN = 300 * SECOND;
  private static final long BEGIN =
      TimeUnit.SECONDS.toNanos(Instant.parse("2024-05-20T00:00:00Z").getEpochSecond());
  private static final MathContext DIGITS = new MathContext(400);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The numbers of each bin. */
  private static final double[][] BINS = {
    {-1.7e308, 1.7e308, 0, -1.7e308, 1.7e308},
    {1.7e308, 1.7e308},
    {-1.7e308, 1.7e308},
    {1e300, 3e300, 2e300, 9e300},
    {1e-160, 3e-160, 2e-160, 9e-160},
    {-1e-300, 5e-300, 1e-300, 0},
    {1e160, -1e-160, 1, 2},
    {1.2e154, -1.2e154, 1.2e154, -1.2e154, 0},
    {5, 5, 5, 5},
  };

  @TempDir Path directory;

  private Path write() throws IOException {
    Path root = directory.resolve("archive");
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.DOUBLE, 1)));
    try (LogWriter writer =
        LogWriter.create(
            root, new Group("VA", "CCG"), "20240520090000", ByteOrder.LITTLE_ENDIAN, records)) {
      for (int bin = 0; bin < BINS.length; bin++) {
        writer.milestone(BEGIN + bin * BIN);
        for (int i = 0; i < BINS[bin].length; i++) {
          long bits = Double.doubleToRawLongBits(BINS[bin][i]);
          writer.number(0, BEGIN + bin * BIN + (i + 1) * SECOND, 0, 0, bits);
        }
      }
      writer.milestone(BEGIN + BINS.length * BIN);
    }
    TestStores.closePairs(root);
    return root;
  }

  @Test
  void figuresOfBins() throws Exception {
    Path root = write();
    Path store = directory.resolve("store");
    try (ServedFixture server = ServedFixture.raw(root)) {
      check(server);
    }
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    try (ServedFixture server = ServedFixture.stored(root, store)) {
      check(server);
    }
  }

  private static void check(ServedFixture server) throws IOException {
    for (String operator : List.of("mean", "std", "variance", "popvariance", "median")) {
      String question =
          data("json", operator + "_300(A)", BEGIN, BEGIN + BINS.length * BIN - 1)
              + "&nonfinite=string";
      JsonNode samples = JSON.readTree(server.text(question)).get(0).get("data");
      assertThat(samples).hasSize(BINS.length);
      for (int bin = 0; bin < BINS.length; bin++) {
        double found = Double.parseDouble(samples.get(bin).get("val").asText());
        double expected = figure(operator, BINS[bin]);
        String what = operator + " of " + Arrays.toString(BINS[bin]);
        if (Double.isInfinite(expected)) {
          assertThat(found).as(what).isEqualTo(expected);
        } else {
          double largest = Arrays.stream(BINS[bin]).map(Math::abs).max().orElse(0);
          double scale = operator.endsWith("variance") ? Math.abs(expected) : largest;
          assertThat(found)
              .as(what)
              .isCloseTo(expected, offset(Math.max(2 * Double.MIN_VALUE, 1e-12 * scale)));
        }
      }
    }
  }

  private static double figure(String operator, double[] numbers) {
    BigDecimal n = BigDecimal.valueOf(numbers.length);
    BigDecimal sum = BigDecimal.ZERO;
    for (double number : numbers) {
      sum = sum.add(new BigDecimal(number));
    }
    BigDecimal mean = sum.divide(n, DIGITS);
    BigDecimal squares = BigDecimal.ZERO;
    for (double number : numbers) {
      squares = squares.add(new BigDecimal(number).subtract(mean, DIGITS).pow(2, DIGITS), DIGITS);
    }
    BigDecimal variance = squares.divide(n.subtract(BigDecimal.ONE), DIGITS);
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    return switch (operator) {
      case "mean" -> mean.doubleValue();
      case "std" -> variance.sqrt(DIGITS).doubleValue();
      case "variance" -> variance.doubleValue();
      case "popvariance" -> squares.divide(n, DIGITS).doubleValue();
      default ->
          new BigDecimal(sorted[(sorted.length - 1) / 2])
              .add(new BigDecimal(sorted[sorted.length / 2]))
              .divide(BigDecimal.valueOf(2))
              .doubleValue();
    };
  }

  @Test
  void theLineOfAPictureIsInsideOfIt() throws Exception {
    try (ServedFixture server = ServedFixture.raw(write())) {
      // From 10 for the greatest to 490 for the least number.
      assertThat(heights(server, 0))
          .contains(490.0, 10.0, 250.0)
          .allMatch(y -> y >= 10 && y <= 490);
      assertThat(heights(server, 4)).contains(490.0, 430.0, 370.0, 10.0);
      assertThat(heights(server, 5)).contains(490.0, 10.0);
    }
  }

  private static List<Double> heights(ServedFixture server, int bin) throws IOException {
    String svg =
        server.text(data("svg", "A", BEGIN + bin * BIN + SECOND, BEGIN + bin * BIN + 5 * SECOND));
    Matcher path = Pattern.compile(" d=\"([^\"]*)\"").matcher(svg);
    assertThat(path.find()).as(svg).isTrue();
    assertThat(path.group(1)).matches("[MHV 0-9.]+");
    return Pattern.compile("[ V]([0-9.]+)")
        .matcher(path.group(1))
        .results()
        .map(each -> Double.valueOf(each.group(1)))
        .toList();
  }
}
