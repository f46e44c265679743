package org.kblake.test.appliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.appliance.ServedFixture.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.IndexCheck;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.NaiveReader;

/**
 * Compares the bins of operators with bins that are made of the naive reader's events by the
 * definitions of docs/server.md. A failure names its seed.
 */
final class OperatorsAgainstNaiveReaderTest {

  private static final int ARCHIVES = Seeds.cases(3, 6);
  private static final int QUESTIONS = 25;
  private static final long SECOND = 1_000_000_000L;
  private static final double BOUND = 1e-9;

  private static final List<String> OF_NUMBERS =
      List.of(
          "mean",
          "min",
          "max",
          "median",
          "std",
          "variance",
          "popvariance",
          "jitter",
          "skewness",
          "kurtosis",
          "statistics",
          "count");

  private static final List<String> OF_ALL =
      List.of("firstSample", "firstFill", "lastSample", "lastFill");

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withZone(RandomArchive.ZONE).withTail(TailRule.FINAL);

  @TempDir Path directory;
  private final OccurrenceCount seen = new OccurrenceCount();

  /** Channels that have texts or lists in a record table. No event needs to have one. */
  private final Set<String> ofOtherTypes = new HashSet<>();

  @Test
  void binsAgree() throws Exception {
    Seeds.each("operators of the appliance", ARCHIVES, this::check);
    seen.print("operators of the appliance");
    seen.require("bins of numbers", 50L * ARCHIVES);
    seen.require("bins of events", 5L * ARCHIVES);
    seen.require("inherited bins", ARCHIVES);
    seen.require("refused", 1);
    seen.require("optimized samples", 1);
    seen.require("optimized bins", 1);
  }

  private void check(long seed) throws Exception {
    Path root = directory.resolve("seed" + seed);
    Path store = directory.resolve("store" + seed);
    RandomArchive.Written written = RandomArchive.write(root, seed);
    TestStores.closePairs(root);
    Archive archive = Archive.open(root, SETTINGS);
    List<String> groups = new ArrayList<>();
    ofOtherTypes.clear();
    for (Group group : written.groups()) {
      for (RandomArchive.WrittenPair pair : written.pairs(group)) {
        pair.records().entries().stream()
            .filter(entry -> entry.waveform() || entry.type() == ValueType.STRING)
            .forEach(entry -> ofOtherTypes.add(entry.name()));
      }
      if (!IndexCheck.leadsEverywhere(archive, group)) {
        return;
      }
      groups.add(group.toString());
    }
    NaiveSamples oracle =
        NaiveSamples.of(root, groups, RandomArchive.ZONE, SETTINGS.disorderBoundNanos());
    if (oracle.names().isEmpty()) {
      return;
    }
    Random random = new Random(seed);
    try (ServedFixture server =
        random.nextBoolean()
            ? ServedFixture.raw(root)
            : ServedFixture.stored(root, store(store, archive))) {
      for (int i = 0; i < QUESTIONS; i++) {
        ask(server, oracle, random);
      }
    }
  }

  private static Path store(Path store, Archive archive) throws Exception {
    TestStores.backfill(archive, store);
    return store;
  }

  private void ask(ServedFixture server, NaiveSamples oracle, Random random) throws IOException {
    List<String> names =
        oracle.names().stream()
            .sorted(Comparator.comparingInt(name -> -oracle.events(name).size()))
            .toList();
    String name = names.get(random.nextInt(Math.min(names.size(), 12)));
    List<NaiveReader.Event> events = oracle.events(name);
    if (events.isEmpty()) {
      return;
    }
    long one = events.get(random.nextInt(events.size())).nanos();
    long other = events.get(random.nextInt(events.size())).nanos();
    long from = Math.min(one, other) / SECOND * SECOND + random.nextInt(2) * 123L;
    long to = Math.max(from, Math.max(one, other) + random.nextInt(2) * SECOND);
    int seconds = (int) Math.max(1, (to - from) / SECOND / (1 + random.nextInt(40)));
    boolean numbers =
        !ofOtherTypes.contains(name)
            && oracle.values(name, Long.MIN_VALUE, to).stream().allMatch(NaiveSamples::isNumber);
    if (random.nextInt(4) == 0) {
      optimized(server, oracle, name, from, to, 1 + random.nextInt(30), numbers);
      return;
    }
    if (!numbers && random.nextBoolean()) {
      int status =
          server.get(data("json", "median_" + seconds + "(" + name + ")", from, to)).statusCode();
      boolean any = oracle.held(name, from) != null || !oracle.values(name, from, to).isEmpty();
      assertThat(status).isIn(200, any ? 400 : 200);
      seen.add("refused", status == 400 ? 1 : 0);
      return;
    }
    List<String> operators = numbers && random.nextInt(4) > 0 ? OF_NUMBERS : OF_ALL;
    String operator = operators.get(random.nextInt(operators.size()));
    boolean fills = !operator.endsWith("Sample");
    if (operators.equals(OF_NUMBERS) && random.nextInt(3) == 0) {
      operator += "Sample";
      fills = false;
    }
    String question = operator + "_" + seconds + "(" + name + ") " + from + " " + to;
    List<RawDecoder.Decoded> answer =
        RawDecoder.samples(
            server.body(data("raw", operator + "_" + seconds + "(" + name + ")", from, to)));
    compare(
        question, answer, expected(oracle, name, from, to, seconds), operator, fills, seconds, to);
  }

  /** The events of each bin, in log order. The last event before the range is a bin of its own. */
  private static NavigableMap<Long, List<NaiveReader.Event>> expected(
      NaiveSamples oracle, String name, long from, long to, int seconds) {
    TreeMap<Long, List<NaiveReader.Event>> bins = new TreeMap<>();
    long width = seconds * SECOND;
    NaiveReader.Event held = oracle.held(name, from);
    if (held != null && held.nanos() < from) {
      bins.put(Math.floorDiv(from, width) - 1, List.of(held));
    }
    for (NaiveReader.Event event : oracle.values(name, from, to)) {
      bins.computeIfAbsent(Math.floorDiv(event.nanos(), width), bin -> new ArrayList<>())
          .add(event);
    }
    return bins;
  }

  private void compare(
      String question,
      List<RawDecoder.Decoded> answer,
      NavigableMap<Long, List<NaiveReader.Event>> bins,
      String operator,
      boolean fills,
      int seconds,
      long to) {
    if (bins.isEmpty()) {
      assertThat(answer).as(question).isEmpty();
      return;
    }
    long width = seconds * SECOND;
    int at = 0;
    List<NaiveReader.Event> before = List.of();
    for (long bin = bins.firstKey(); bin <= Math.floorDiv(to, width); bin++) {
      List<NaiveReader.Event> events = bins.get(bin);
      if (events == null && !fills) {
        continue;
      }
      assertThat(answer).as(question).hasSizeGreaterThan(at);
      RawDecoder.Decoded sample = answer.get(at++);
      assertThat(sample.nanos()).as(question).isEqualTo(bin * width + width / 2);
      if (events == null && operator.equals("count")) {
        assertThat(number(sample, 0)).as(question).isEqualTo(0);
        continue;
      }
      seen.add("inherited bins", events == null ? 1 : 0);
      before = events == null ? before : events;
      compare(question + " bin " + bin, sample, before, operator);
    }
    assertThat(answer).as(question).hasSize(at);
  }

  private void compare(
      String question, RawDecoder.Decoded sample, List<NaiveReader.Event> events, String operator) {
    if (OF_ALL.contains(operator)) {
      NaiveReader.Event edge = events.get(operator.startsWith("first") ? 0 : events.size() - 1);
      assertThat(sample.value())
          .as(question)
          .isIn(
              edge.value(),
              edge.type().equals("string") ? edge.value() : NaiveSamples.doubles(edge));
      assertThat(sample.severity()).as(question).isEqualTo(edge.severity());
      assertThat(sample.status()).as(question).isEqualTo(edge.status());
      seen.add("bins of events");
      return;
    }
    int worst = events.stream().mapToInt(NaiveReader.Event::severity).max().orElse(0);
    assertThat(sample.severity()).as(question).isEqualTo(worst);
    double[] numbers =
        events.stream()
            .mapToDouble(NaiveSamples::number)
            .filter(number -> !Double.isNaN(number))
            .toArray();
    String name = operator.replaceFirst("Sample$", "");
    seen.add("bins of numbers");
    if (name.equals("statistics")) {
      List<String> elements = List.of("mean", "std", "min", "max", "count");
      for (int i = 0; i < elements.size(); i++) {
        close(question, number(sample, i), figure(elements.get(i), numbers), numbers);
      }
    } else if (!isDelicate(name, numbers)) {
      close(question, number(sample, 0), figure(name, numbers), numbers);
    }
  }

  /** Moments of numbers that are nearly equal, or infinite, lose their digits in any order. */
  private static boolean isDelicate(String name, double[] numbers) {
    double largest = Arrays.stream(numbers).map(Math::abs).max().orElse(0);
    return switch (name) {
      case "skewness", "kurtosis" ->
          !(largest < 1e60) || !(figure("std", numbers) > 1e-3 * largest) || largest < 1e-60;
      case "jitter" -> !(Math.abs(figure("mean", numbers)) > 1e-3 * largest) || largest > 1e150;
      case "variance", "popvariance" -> largest > 1e150;
      default -> false;
    };
  }

  private static double number(RawDecoder.Decoded sample, int element) {
    return Double.longBitsToDouble((Long) sample.value().get(element));
  }

  private static void close(String question, double actual, double expected, double[] numbers) {
    double scale = Arrays.stream(numbers).map(Math::abs).max().orElse(0);
    if (scale > 1e150 || scale > 0 && scale < 1e-150) {
      // Sums of such numbers overflow in one order and not in another. Small squares are 0.
      return;
    }
    if (!Double.isFinite(expected)) {
      assertThat(Double.valueOf(actual))
          .as(question + " " + Arrays.toString(numbers))
          .isEqualTo(Double.valueOf(expected));
      return;
    }
    double bound =
        Math.max(BOUND * Math.max(scale, scale * scale), BOUND * Math.abs(expected)) + 1e-300;
    assertThat(Math.abs(actual - expected))
        .as(question + ": " + actual + " and not " + expected + " " + Arrays.toString(numbers))
        .isLessThanOrEqualTo(bound);
  }

  private static double figure(String name, double[] numbers) {
    int n = numbers.length;
    double mean = n == 0 ? Double.NaN : Arrays.stream(numbers).sum() / n;
    double m2 = moment(numbers, mean, 2);
    double std = n == 0 ? Double.NaN : n == 1 ? 0 : Math.sqrt(m2 / (n - 1));
    return switch (name) {
      case "mean" -> mean;
      case "min" -> Arrays.stream(numbers).min().orElse(Double.NaN);
      case "max" -> Arrays.stream(numbers).max().orElse(Double.NaN);
      case "count" -> n;
      case "std" -> std;
      case "variance" -> std * std;
      case "popvariance" -> n == 0 ? Double.NaN : m2 / n;
      case "jitter" -> std / mean;
      case "median" -> median(numbers);
      case "skewness" ->
          n < 3
              ? Double.NaN
              : n / ((n - 1.0) * (n - 2)) * moment(numbers, mean, 3) / Math.pow(std, 3);
      case "kurtosis" ->
          n < 4
              ? Double.NaN
              : n
                      * (n + 1.0)
                      / ((n - 1.0) * (n - 2) * (n - 3))
                      * moment(numbers, mean, 4)
                      / Math.pow(std, 4)
                  - 3 * (n - 1.0) * (n - 1) / ((n - 2.0) * (n - 3));
      default -> throw new AssertionError(name);
    };
  }

  private static double moment(double[] numbers, double mean, int power) {
    return Arrays.stream(numbers).map(number -> Math.pow(number - mean, power)).sum();
  }

  private static double median(double[] numbers) {
    double[] sorted = Arrays.stream(numbers).sorted().toArray();
    int n = sorted.length;
    if (n == 0) {
      return Double.NaN;
    }
    return n % 2 == 1 ? sorted[n / 2] : sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2;
  }

  private void optimized(
      ServedFixture server,
      NaiveSamples oracle,
      String name,
      long from,
      long to,
      int points,
      boolean numbers)
      throws IOException {
    String question = "optimized_" + points + "(" + name + ") " + from + " " + to;
    List<RawDecoder.Decoded> answer =
        RawDecoder.samples(
            server.body(data("raw", "optimized_" + points + "(" + name + ")", from, to)));
    List<RawDecoder.Decoded> samples = oracle.samples(name, from, to);
    long inRange = samples.stream().filter(sample -> sample.nanos() >= from).count();
    if (!numbers) {
      // A channel may have had numbers, and then texts: bins cannot be made of these.
      return;
    }
    if (inRange <= points) {
      assertThat(answer).as(question).hasSameSizeAs(samples);
      assertThat(answer)
          .extracting(RawDecoder.Decoded::nanos)
          .isEqualTo(samples.stream().map(RawDecoder.Decoded::nanos).toList());
      seen.add("optimized samples");
      return;
    }
    long span = Math.floorDiv(to, SECOND) - Math.floorDiv(from, SECOND);
    long seconds = Math.max(1, -Math.floorDiv(-span, (long) points));
    for (long rollup : List.of(3600L, 300L)) {
      if (seconds >= rollup) {
        seconds = (seconds + rollup - 1) / rollup * rollup;
        break;
      }
    }
    compare(
        question,
        answer,
        expected(oracle, name, from, to, (int) seconds),
        "statistics",
        true,
        (int) seconds,
        to);
    seen.add("optimized bins");
  }
}
