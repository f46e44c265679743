package org.kblake.benchmarks.serve;

import java.io.IOException;
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
import org.kblake.query.ArchiveReader;
import org.kblake.query.TrendReader;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.TrendQuery;

/** The operator optimized of the Archiver Appliance, beside the trend in this process. */
final class OptimizedRow implements Row {

  private static final int JITTER_NANOS = 900_000;
  private static final double MAX_TIMES = 2;
  private static final int BINS = 5_760;
  private static final int UNCOUNTED = 100;

  private static final Aggregate[] STATISTICS = {
    Aggregate.COUNT,
    Aggregate.NAN,
    Aggregate.SEVERITY,
    Aggregate.MEAN,
    Aggregate.STD,
    Aggregate.MIN,
    Aggregate.MAX
  };

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "optimized";
  }

  @Override
  public String title() {
    return "A year of a channel by optimized_5760 in the form raw";
  }

  @Override
  public String data(Measurement measurement) {
    return "random doubles at 1 Hz with up to 0.9 ms of jitter, seed 1, in columns, in the page"
        + " cache: "
        + Numbers.plain(seconds(measurement))
        + " s of 1 channel; beside it the same aggregates in bins of the same width by a"
        + " TrendReader; in turns, after 100 of each";
  }

  static int seconds(Measurement measurement) {
    return measurement.size().choose(20_000, 365 * 86_400, 365 * 86_400);
  }

  static Path archive(Measurement measurement) throws IOException {
    return new RandomDoubles(1, Duration.ofSeconds(seconds(measurement)), JITTER_NANOS, false)
        .archive();
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Path archive = archive(measurement);
    Path store = BenchmarkData.store(archive);
    Instant from = Instant.ofEpochSecond(0, RandomDoubles.beginNanos());
    Instant to = from.plusSeconds(seconds(measurement));
    // The width is an hour's multiple, as the server chooses it.
    TrendQuery query =
        TrendQuery.of(
            ChannelSelection.all(RandomDoubles.GROUP), from, to, Duration.ofHours(2), STATISTICS);
    String path =
        "/retrieval/data/getData.raw?pv=optimized_"
            + BINS
            + ServedProcess.encoded("(" + RandomDoubles.channel(0) + ")")
            + "&from="
            + from
            + "&to="
            + to;
    List<Double> door = new ArrayList<>();
    List<Double> trend = new ArrayList<>();
    int uncounted = measurement.size().choose(1, UNCOUNTED, UNCOUNTED);
    try (ServedProcess server = new ServedProcess(measurement.size(), archive, store);
        ArchiveReader reader = ArchiveReader.builder().archive(archive).store(store).open()) {
      for (int i = -uncounted; i < measurement.size().choose(1, 25, 50); i++) {
        double doorMillis = server.nanos(path) / 1e6;
        double trendMillis = nanos(reader, query) / 1e6;
        if (i >= 0) {
          door.add(doorMillis);
          trend.add(trendMillis);
        }
      }
    }
    return List.of(
        measurement.line(
            Line.of(
                "optimized_" + BINS + ", raw, over HTTP",
                Figure.of("kblake", Unit.MILLISECONDS, door),
                Figure.of("TrendReader in this process", Unit.MILLISECONDS, trend),
                Aim.timesAtMost(MAX_TIMES))));
  }

  private static long nanos(ArchiveReader reader, TrendQuery query) throws IOException {
    long begin = System.nanoTime();
    long events = 0;
    try (TrendReader trend = reader.trend(query)) {
      while (trend.next()) {
        events += trend.count(0);
      }
    }
    if (events == 0) {
      throw new IllegalStateException("bins without events: " + query);
    }
    return System.nanoTime() - begin;
  }
}
