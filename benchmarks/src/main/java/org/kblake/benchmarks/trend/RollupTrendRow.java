package org.kblake.benchmarks.trend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.RandomDoubles;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.internal.store.rollup.Rollups;
import org.kblake.query.ArchiveReader;
import org.kblake.query.TrendReader;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;

/** The trend of a channel over a year from rollups, beside the same from events. */
public final class RollupTrendRow implements Row {

  private static final int JITTER_NANOS = 900_000;
  private static final double MAX_MILLIS = 20;

  /** Trends are read for this time before they are measured, so that all code is compiled. */
  private static final long UNCOUNTED_NANOS = 2_000_000_000L;

  private static final List<Aggregate> STATISTICS =
      List.of(Aggregate.COUNT, Aggregate.MIN, Aggregate.MAX, Aggregate.MEAN);

  private static final List<Aggregate> LINE =
      List.of(
          Aggregate.FIRST,
          Aggregate.FIRST_TIME,
          Aggregate.LAST,
          Aggregate.LAST_TIME,
          Aggregate.MIN,
          Aggregate.MIN_TIME,
          Aggregate.MAX,
          Aggregate.MAX_TIME);

  @Override
  public int number() {
    return 17;
  }

  @Override
  public String name() {
    return "rollups";
  }

  @Override
  public String title() {
    return "The trend of a channel from rollups, beside the same from events";
  }

  @Override
  public String data(Measurement measurement) {
    return "random doubles at 1 Hz with up to 0.9 ms of jitter, seed 1, in columns, in the page cache: "
        + Numbers.plain(seconds(measurement))
        + " s of 1 channel; the same store without its rollups beside it";
  }

  private static int seconds(Measurement measurement) {
    return measurement.size().choose(20_000, 365 * 86_400, 365 * 86_400);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException {
    int seconds = seconds(measurement);
    Path archive = new RandomDoubles(1, Duration.ofSeconds(seconds), JITTER_NANOS, false).archive();
    Instant from = Instant.ofEpochSecond(0, RandomDoubles.beginNanos());
    ChannelSelection channels = ChannelSelection.all(RandomDoubles.GROUP);
    List<Line> lines = new ArrayList<>();
    Path store = BenchmarkData.store(archive);
    try (ArchiveReader rollups = open(archive, store);
        ArchiveReader events = open(archive, BenchmarkData.storeOfEvents(archive))) {
      for (Duration step : List.of(Duration.ofHours(2), Duration.ofHours(12), Duration.ofDays(7))) {
        for (List<Aggregate> aggregates : List.of(STATISTICS, LINE)) {
          TrendQuery query =
              TrendQuery.of(
                      channels,
                      from,
                      from.plusSeconds(seconds),
                      step,
                      aggregates.toArray(Aggregate[]::new))
                  .from(Source.STORE);
          String what =
              query.bins() + " bins, " + (aggregates.equals(LINE) ? "M4" : "count, min, max, mean");
          Figure ours = figure(measurement, rollups, query, 25).named(what);
          Figure beside = figure(measurement, events, query, 3).named("from events");
          lines.add(measurement.line(Line.of(what, ours, beside, Aim.atMost(MAX_MILLIS))));
        }
      }
    }
    Figure share = Figure.of("share", Unit.PER_CENT, List.of(share(store)));
    lines.add(measurement.line(Line.of("rollups, of the bytes of the store", share)));
    return lines;
  }

  private static ArchiveReader open(Path archive, Path store) throws IOException {
    return ArchiveReader.builder().archive(archive).store(store).open();
  }

  private static double share(Path store) throws IOException {
    long all = 0;
    long rollups = 0;
    try (var files = Files.walk(store)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        all += Files.size(file);
        rollups += file.endsWith(Rollups.FILE_NAME) ? Files.size(file) : 0;
      }
    }
    return 100.0 * rollups / all;
  }

  /** Returns milliseconds of an answer. */
  private static Figure figure(
      Measurement measurement, ArchiveReader reader, TrendQuery query, int most)
      throws IOException {
    List<Double> samples = new ArrayList<>();
    long uncounted = measurement.size().choose(0L, UNCOUNTED_NANOS, UNCOUNTED_NANOS);
    while (uncounted > 0) {
      uncounted -= nanosOf(reader, query);
    }
    for (int i = 0; i < measurement.size().choose(1, most, 2 * most); i++) {
      samples.add(nanosOf(reader, query) / 1e6);
    }
    return Figure.of("trend", Unit.MILLISECONDS, samples);
  }

  private static long nanosOf(ArchiveReader reader, TrendQuery query) throws IOException {
    long begin = System.nanoTime();
    double sum = 0;
    try (TrendReader trend = reader.trend(query)) {
      while (trend.next()) {
        for (Aggregate aggregate : query.aggregates()) {
          sum += trend.has(0, aggregate) ? trend.number(0, aggregate) : 0;
        }
      }
    }
    if (sum == 0) {
      throw new IllegalStateException("bins without values: " + query);
    }
    return System.nanoTime() - begin;
  }
}
