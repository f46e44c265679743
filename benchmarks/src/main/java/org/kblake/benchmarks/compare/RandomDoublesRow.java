package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.benchmarks.AnswerRows;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.RandomDoubles;
import org.kblake.benchmarks.jparc.PublishedHBase;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Peer;
import org.kblake.benchmarks.measure.Repeat;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/** The published test of J-PARC's archiver, which stores its data in HBase. */
final class RandomDoublesRow implements Row {

  private static final int READERS = 5;
  private static final int CHANNELS_AT_ONCE = 10;

  /** The number of periods of time, one of which a read requests. */
  private static final int PERIODS = 2;

  @Override
  public int number() {
    return 7;
  }

  @Override
  public String name() {
    return "random-doubles";
  }

  @Override
  public String title() {
    return "J-PARC's test: doubles at 1 Hz in, ten channels of a random day out";
  }

  @Override
  public String data(Measurement measurement) {
    RandomDoubles in = in(measurement, false);
    RandomDoubles out = out(measurement, false);
    return String.format(
        "in: a backfill of %,d channels at 1 Hz for %,d s, %,d values, seed 1; out: 5 threads, each"
            + " reads 10 random channels of %,d in one of %,d pieces of time of %,d s, warm. HBase"
            + " is its mini cluster of one region server in one JVM on local files, with 10"
            + " channels for the length of one piece. The published figures are of 9 nodes",
        in.channels(),
        in.length().toSeconds(),
        in.values(),
        out.channels(),
        PERIODS,
        periodSeconds(measurement));
  }

  private static RandomDoubles in(Measurement measurement, boolean constant) {
    Duration length = Duration.ofSeconds(measurement.size().choose(120, 1_200, 43_200));
    return new RandomDoubles(measurement.size().choose(50, 10_000, 10_000), length, 0, constant);
  }

  private static RandomDoubles out(Measurement measurement, boolean constant) {
    int channels = measurement.size().choose(50, 50, 500);
    return new RandomDoubles(
        channels, Duration.ofSeconds(PERIODS * periodSeconds(measurement)), 0, constant);
  }

  private static long periodSeconds(Measurement measurement) {
    return measurement.size().choose(60, 86_400, 86_400);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    int cores = Runtime.getRuntime().availableProcessors();
    Figure in = rateIn(measurement, in(measurement, false), cores);
    Figure out = rateOut(measurement, out(measurement, false), cores);
    Peer hbase = measurement.peer("hbase", Long.toString(periodSeconds(measurement))).ask();
    Figure hbaseIn = hbase.figure("in", "HBase's mini cluster here", Unit.THOUSANDS_PER_SECOND);
    Figure hbaseOut = hbase.figure("out", "HBase's mini cluster here", Unit.THOUSANDS_PER_SECOND);
    double valuesOfDay = 86_400.0 * in(measurement, false).channels() / 1e3;
    return List.of(
        measurement.line(Line.of("in", in, hbaseIn, Aim.timesBetter(20))),
        measurement.line(Line.of("in", in, PublishedHBase.in(), Aim.NONE)),
        measurement.line(Line.of("in, per core", each(in, cores))),
        measurement.line(
            Line.of(
                "in, time for a day of values at this rate",
                in.as(Unit.SECONDS, rate -> valuesOfDay / rate))),
        measurement.line(Line.of("out", out, hbaseOut, Aim.timesBetter(100))),
        measurement.line(Line.of("out", out, PublishedHBase.out(), Aim.NONE)),
        measurement.line(Line.of("out, per core", each(out, cores))),
        measurement.line(
            Line.of("in, constant values", rateIn(measurement, in(measurement, true), cores))),
        measurement.line(
            Line.of("out, constant values", rateOut(measurement, out(measurement, true), cores))));
  }

  private static Figure each(Figure rate, int cores) {
    return rate.as(rate.unit(), value -> value / cores);
  }

  private static Figure rateIn(Measurement measurement, RandomDoubles doubles, int cores)
      throws IOException, InterruptedException {
    Path archive = doubles.archive();
    Path store = measurement.data().resolve("unfinished-doubles");
    List<Double> millis =
        Repeat.millis(
            measurement.size().choose(0, 1, 0),
            measurement.size().choose(1, 3, 2),
            () -> Commands.delete(store),
            () ->
                BenchmarkData.backfill(
                    archive, store, WriteProfile.STANDARD, cores, TimeRange.ALL));
    Commands.delete(store);
    return rate(millis, (double) doubles.values());
  }

  private static Figure rateOut(Measurement measurement, RandomDoubles doubles, int cores)
      throws IOException, InterruptedException {
    Path archive = doubles.archive();
    Path store = measurement.data().resolve("unfinished-doubles");
    Commands.delete(store);
    BenchmarkData.backfill(archive, store, WriteProfile.STANDARD, cores, TimeRange.ALL);
    List<Double> out = new ArrayList<>();
    long[] values = new long[1];
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive).store(store).open()) {
      // Reads as long as HBase, after an uncounted time in which code is compiled.
      double uncountedSeconds = measurement.size().choose(0.0, 2.5, 5.0);
      double seconds = measurement.size().choose(0.0, 15.0, 30.0);
      SplittableRandom seeds = new SplittableRandom(1);
      long begin = System.nanoTime();
      double passed;
      do {
        SplittableRandom seed = seeds.split();
        double millis =
            Repeat.millis(0, 1, () -> values[0] = out(measurement, reader, doubles, seed)).get(0);
        passed = (System.nanoTime() - begin) / 1e9;
        if (passed > uncountedSeconds) {
          out.add(values[0] / millis);
        }
      } while (passed < uncountedSeconds + seconds);
    }
    Commands.delete(store);
    return Figure.of("kblake", Unit.THOUSANDS_PER_SECOND, out);
  }

  /** Converts milliseconds into thousands of values per second. */
  private static Figure rate(List<Double> millis, double values) {
    return Figure.of("kblake", Unit.MILLISECONDS, millis)
        .as(Unit.THOUSANDS_PER_SECOND, sample -> values / sample);
  }

  /** Runs all readers once, and returns the number of values that they read. */
  private static long out(
      Measurement measurement, ArchiveReader archive, RandomDoubles doubles, SplittableRandom seed)
      throws IOException, InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(READERS);
    try {
      List<Future<Long>> reads = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        SplittableRandom random = seed.split();
        reads.add(executor.submit(() -> read(measurement, archive, doubles, random)));
      }
      long values = 0;
      for (Future<Long> read : reads) {
        values += read.get();
      }
      return values;
    } catch (ExecutionException e) {
      throw new IOException("reader failed", e);
    } finally {
      executor.shutdownNow();
    }
  }

  private static long read(
      Measurement measurement,
      ArchiveReader archive,
      RandomDoubles doubles,
      SplittableRandom random)
      throws IOException {
    long periodNanos = TimeUnit.SECONDS.toNanos(periodSeconds(measurement));
    long from = RandomDoubles.beginNanos() + random.nextInt(PERIODS) * periodNanos;
    long values = 0;
    try (BufferAllocator allocator = new RootAllocator()) {
      for (int i = 0; i < CHANNELS_AT_ONCE; i++) {
        String name = RandomDoubles.channel(random.nextInt(doubles.channels()));
        values +=
            AnswerRows.count(
                archive,
                EventQuery.of(ChannelSelection.names(name).in(RandomDoubles.GROUP))
                    .between(new TimeRange(from, from + periodNanos)),
                allocator);
      }
    }
    return values;
  }
}
