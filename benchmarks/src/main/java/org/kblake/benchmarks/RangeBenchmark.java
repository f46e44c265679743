package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reads a random range of a thousand seconds of one channel from many days. Archive and store are
 * open.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-opens=java.base/java.nio=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 2)
public class RangeBenchmark {

  private static final long LENGTH_NANOS = Duration.ofSeconds(1_000).toNanos();

  private final SplittableRandom random = new SplittableRandom(1);
  private BufferAllocator allocator;
  private ArchiveReader archive;
  private ReadPeriod asked;

  /**
   * The channel and the period of the ranges.
   *
   * @param channel the channel's name
   * @param fromNanos the begin of the period
   * @param toNanos the end of the period
   */
  public record ReadPeriod(String channel, long fromNanos, long toNanos) {}

  /** Returns the first channel and the whole period. */
  public static ReadPeriod readPeriod() throws IOException {
    var first =
        Archive.open(BenchmarkData.year(), ArchiveSettings.defaults())
            .pairs(BenchmarkData.RF)
            .get(0);
    long from = first.beginNanos();
    return new ReadPeriod(
        first.open().records().entry(0).name(),
        from,
        from + (long) (BenchmarkData.yearDays() * Duration.ofDays(1).toNanos()));
  }

  /** Opens archive and store. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    Path root = BenchmarkData.year();
    asked = readPeriod();
    allocator = new RootAllocator();
    archive = ArchiveReader.builder().archive(root).store(BenchmarkData.store(root)).open();
  }

  /** Closes everything. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    archive.close();
    allocator.close();
  }

  /** Reads one range. */
  @Benchmark
  public long read() throws IOException {
    long from = random.nextLong(asked.fromNanos(), asked.toNanos() - LENGTH_NANOS);
    EventQuery query =
        EventQuery.of(ChannelSelection.names(asked.channel()).in(BenchmarkData.RF))
            .between(new TimeRange(from, from + LENGTH_NANOS));
    return AnswerRows.count(archive, query, allocator);
  }
}
