package org.kblake.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the benchmarks and prints a table: each figure, and the figure with which it is compared.
 */
public final class BenchmarkTable {

  private static final double MIB = 1 << 20;
  private static final String ROW = "%-44s %18s  %-24s %9s %9s  %s%n";

  private final Map<String, Double> scores = new TreeMap<>();
  private final Map<String, Double> spreads = new TreeMap<>();
  private final PrintStream out;
  private double logBytes;

  private BenchmarkTable(PrintStream out) {
    this.out = out;
  }

  /** Runs the benchmarks, see benchmarks/run. */
  public static void main(String[] args) throws RunnerException, IOException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .resultFormat(ResultFormatType.JSON)
            .result("target/results.json")
            .output("target/jmh.log");
    List<String> patterns = new ArrayList<>(List.of(args));
    int days = patterns.indexOf("--days");
    if (days >= 0 && days + 1 < patterns.size()) {
      System.setProperty("kblake.benchmarks.days", patterns.get(days + 1));
      patterns.subList(days, days + 2).clear();
    }
    options.jvmArgsPrepend(
        "-Dkblake.benchmarks.data=" + System.getProperty("kblake.benchmarks.data", "target/data"),
        "-Dkblake.benchmarks.days=" + BenchmarkData.days());
    patterns.forEach(pattern -> options.include(".*" + pattern + "Benchmark.*"));
    BenchmarkTable table =
        new BenchmarkTable(new PrintStream(System.out, true, StandardCharsets.UTF_8));
    table.run(new Runner(options.build()).run());
  }

  private void run(Collection<RunResult> results) throws IOException {
    for (RunResult result : results) {
      String name = result.getParams().getBenchmark().replaceAll(".*\\.(\\w+Benchmark\\.)", "$1");
      StringBuilder key = new StringBuilder(name);
      for (String parameter : result.getParams().getParamsKeys()) {
        key.append(' ').append(result.getParams().getParam(parameter));
      }
      Result<?> primary = result.getPrimaryResult();
      scores.put(key.toString(), primary.getScore());
      spreads.put(key.toString(), primary.getScoreError() / primary.getScore());
      result
          .getSecondaryResults()
          .forEach((label, value) -> scores.put(key + " " + label, value.getScore()));
    }
    try (Stream<Path> files = Files.walk(BenchmarkData.rfYear())) {
      for (Path file : (Iterable<Path>) files.filter(it -> it.toString().endsWith("2"))::iterator) {
        logBytes += Files.size(file);
      }
    }
    print();
  }

  private void print() {
    out.printf(
        "rf-year, %.2f days, %.0f MiB of log; JDK %s, %d cores%n%n",
        BenchmarkData.days(),
        logBytes / MIB,
        Runtime.version(),
        Runtime.getRuntime().availableProcessors());
    out.printf(ROW, "what", "figure", "beside", "ratio", "aim", "");
    ratio(
        "raw scan, one channel of 1,000",
        mebibytes("ScanBenchmark.oneChannel", 1e3),
        "summing longs",
        inverse("ScanBenchmark.sumLongs", "ScanBenchmark.oneChannel"),
        0.8);
    ratio("scan and scatter", mebibytes("ScatterBenchmark.scatter", 1e3), "", null, 0);
    for (String values : List.of("walk", "quantised", "constant")) {
      ratio("encode, " + values, millions("EncodeBenchmark.encode " + values), "", null, 0);
    }
    for (String encoding : List.of("plain", "dictionary", "byte-stream-split")) {
      ratio(
          "decode into Arrow, " + encoding,
          microseconds("DecodeBenchmark.kblake " + encoding),
          "ColumnReader",
          inverse("DecodeBenchmark.columnReader " + encoding, "DecodeBenchmark.kblake " + encoding),
          encoding.equals("byte-stream-split") ? 0 : 5);
    }
    for (String values : List.of("dictionary", "byte-stream-split")) {
      ratio(
          "one channel of 1,000, " + values,
          microseconds("ChannelBenchmark.read STORE " + values),
          "the same from raw",
          inverse("ChannelBenchmark.read RAW " + values, "ChannelBenchmark.read STORE " + values),
          values.equals("dictionary") ? 1_000 : 500);
    }
    Double backfill = scores.get("BackfillBenchmark.backfill 1");
    Double rate = backfill == null ? null : logBytes / MIB / backfill * 1e3;
    floor("backfill, one core", rate, "MiB/s", 150);
    for (String preset : List.of("rf-year", "superkekb")) {
      Double simulated = scores.get("SimulateBenchmark.simulate " + preset + " mebibytes");
      floor("simulate " + preset, simulated, "MiB/s", 150);
    }
    for (String values : List.of("walk", "pressures", "any")) {
      beside("number as %e, " + values, "number", "numberOfTheJdk", values, "String.format", 10);
      beside("time stamp, " + values, "time", "timeOfTheJdk", values, "DateTimeFormatter", 20);
    }
    out.printf("%nSpread of the measurements (99.9 %% interval / mean):%n");
    spreads.forEach((name, spread) -> out.printf("  %-60s %5.1f %%%n", name, 100 * spread));
  }

  private @Nullable String mebibytes(String benchmark, double unitsPerSecond) {
    Double score = scores.get(benchmark);
    return score == null
        ? null
        : String.format(Locale.ROOT, "%.0f MiB/s", logBytes / MIB / score * unitsPerSecond);
  }

  private @Nullable String millions(String benchmark) {
    Double score = scores.get(benchmark);
    return score == null ? null : String.format(Locale.ROOT, "%.1f M rows/s", score / 1e6);
  }

  private @Nullable String microseconds(String benchmark) {
    Double score = scores.get(benchmark);
    return score == null ? null : String.format(Locale.ROOT, "%.0f us", score);
  }

  /** Returns how many times faster the second benchmark is. */
  private @Nullable Double inverse(String slow, String fast) {
    Double slowTime = scores.get(slow);
    Double fastTime = scores.get(fast);
    return slowTime == null || fastTime == null ? null : slowTime / fastTime;
  }

  private void ratio(
      String what, @Nullable String figure, String beside, @Nullable Double ratio, double aim) {
    if (figure != null) {
      line(
          what,
          figure,
          beside,
          ratio == null ? "" : String.format(Locale.ROOT, "%.2f x", ratio),
          aim == 0 ? "" : String.format(Locale.ROOT, "%.1f x", aim),
          aim == 0 || ratio == null ? "" : ratio >= aim ? "met" : "MISSED");
    }
  }

  /**
   * Prints the rate of kblogrd in millions per second, beside the rate of the JDK. The aim is in
   * millions per second.
   */
  private void beside(
      String what, String ours, String theirs, String values, String peer, double aim) {
    Double score = scores.get("KblogrdTextBenchmark." + ours + " " + values);
    Double other = scores.get("KblogrdTextBenchmark." + theirs + " " + values);
    if (score != null && other != null) {
      line(
          what,
          String.format(Locale.ROOT, "%.1f M/s", score / 1e6),
          String.format(Locale.ROOT, "%s, %.2f M/s", peer, other / 1e6),
          String.format(Locale.ROOT, "%.1f x", score / other),
          String.format(Locale.ROOT, "%.0f M/s", aim),
          score >= aim * 1e6 ? "met" : "MISSED");
    }
  }

  private void floor(String what, @Nullable Double figure, String unit, double aim) {
    if (figure != null) {
      line(
          what,
          String.format(Locale.ROOT, "%.0f %s", figure, unit),
          "",
          "",
          String.format(Locale.ROOT, "%.0f", aim),
          figure >= aim ? "met" : "MISSED");
    }
  }

  private void line(
      String what, String figure, String beside, String ratio, String aim, String outcome) {
    out.printf(ROW, what, figure, beside, ratio, aim, outcome);
  }
}
