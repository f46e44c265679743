package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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
import org.kblake.benchmarks.measure.Peer;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.TrendReader;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;

/** Aggregates of the events of one channel in bins of an hour, beside reading the events. */
final class TrendRow implements Row {

  private static final int JITTER_NANOS = 900_000;

  /** Bins are read for this time before they are counted, so that all code is compiled. */
  private static final long UNCOUNTED_NANOS = 1_500_000_000L;

  private static final double MILLIONS = 100;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** A read of all events. */
  @FunctionalInterface
  private interface Read {
    void run() throws IOException;
  }

  @Override
  public int number() {
    return 16;
  }

  @Override
  public String name() {
    return "trend";
  }

  @Override
  public String title() {
    return "Aggregates in bins of an hour, CPU time of one thread";
  }

  @Override
  public String data(Measurement measurement) {
    return "random doubles at 1 Hz with up to 0.9 ms of jitter, seed 1, in columns, in the page cache: "
        + Numbers.plain(seconds(measurement))
        + " s of 1 channel; events divided by the CPU time of the thread, beside the events that an"
        + " EventCursor returns, and DuckDB with one thread, elapsed time, on the same files";
  }

  private static int seconds(Measurement measurement) {
    return measurement.size().choose(2_000, 500_000, 5_000_000);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    int seconds = seconds(measurement);
    Path archive = new RandomDoubles(1, Duration.ofSeconds(seconds), JITTER_NANOS, false).archive();
    List<Line> lines = new ArrayList<>();
    try (ArchiveReader reader =
        ArchiveReader.builder()
            .archive(archive)
            .store(BenchmarkData.storeOfEvents(archive))
            .open()) {
      Instant from = Instant.ofEpochSecond(0, RandomDoubles.beginNanos());
      Instant to = from.plusSeconds(seconds);
      ChannelSelection channels = ChannelSelection.all(RandomDoubles.GROUP);
      EventQuery events = EventQuery.of(channels).between(from, to).from(Source.STORE);
      Figure cursor =
          figure(measurement, seconds, () -> readEvents(reader, events)).named("EventCursor");
      List<Aggregate> most = new ArrayList<>(List.of(Aggregate.COUNT, Aggregate.MIN));
      Peer duck = measurement.peer(duckdb(archive)).ask();
      for (Aggregate more : List.of(Aggregate.MAX, Aggregate.MEAN, Aggregate.STD)) {
        most.add(more);
        if (more != Aggregate.MEAN) {
          Figure ours = figure(measurement, reader, channels, from, to, most);
          String what = text(most);
          lines.add(measurement.line(Line.of(what, ours, cursor, Aim.atLeast(MILLIONS))));
          Figure peer =
              duck.figure(
                      more == Aggregate.STD ? "moments" : "extremes", "DuckDB", Unit.MILLISECONDS)
                  .as(Unit.MILLIONS_PER_SECOND, millis -> seconds / millis / 1e3);
          lines.add(measurement.line(Line.of(what, ours, peer, Aim.timesBetter(1))));
        }
      }
      List<Aggregate> held = List.of(Aggregate.TIME_MEAN);
      Figure ours = figure(measurement, reader, channels, from, to, held);
      lines.add(measurement.line(Line.of(text(held), ours, cursor, Aim.NONE)));
    }
    return lines;
  }

  /** Returns the words of the peer, which reads the store's files. */
  private static String[] duckdb(Path archive) throws IOException {
    List<String> words = new ArrayList<>(List.of("trend_duckdb.py"));
    for (Path file : BenchmarkData.parquetFiles(BenchmarkData.store(archive), "double")) {
      words.add(file.toString());
    }
    return words.toArray(String[]::new);
  }

  private static Figure figure(
      Measurement measurement,
      ArchiveReader reader,
      ChannelSelection channels,
      Instant from,
      Instant to,
      List<Aggregate> aggregates)
      throws IOException {
    TrendQuery query =
        TrendQuery.of(channels, from, to, Duration.ofHours(1), aggregates.toArray(Aggregate[]::new))
            .from(Source.STORE);
    return figure(measurement, Duration.between(from, to).toSeconds(), () -> read(reader, query));
  }

  private static String text(List<Aggregate> aggregates) {
    return String.join(", ", aggregates.stream().map(Aggregate::text).toList());
  }

  /** Returns millions of events in a second of CPU time. */
  private static Figure figure(Measurement measurement, long events, Read read) throws IOException {
    List<Double> samples = new ArrayList<>();
    long uncounted = measurement.size().choose(0L, UNCOUNTED_NANOS, UNCOUNTED_NANOS);
    while (uncounted > 0) {
      uncounted -= nanosOf(read);
    }
    for (int i = 0; i < measurement.size().choose(1, 9, 15); i++) {
      samples.add(events * 1e3 / nanosOf(read));
    }
    return Figure.of("trend", Unit.MILLIONS_PER_SECOND, samples);
  }

  private static long nanosOf(Read read) throws IOException {
    long begin = THREADS.getCurrentThreadCpuTime();
    read.run();
    return Math.max(1, THREADS.getCurrentThreadCpuTime() - begin);
  }

  private static void readEvents(ArchiveReader reader, EventQuery query) throws IOException {
    long rows = 0;
    try (EventCursor events = reader.cursor(query)) {
      while (events.next()) {
        rows += events.to() - events.from();
      }
    }
    if (rows == 0) {
      throw new IllegalStateException("no events: " + query);
    }
  }

  private static void read(ArchiveReader reader, TrendQuery query) throws IOException {
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
  }
}
