package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Measures the cost of a store for a range that no block covers. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-opens=java.base/java.nio=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class MissBenchmark {

  /** The source of the events. {@code AUTO} searches columns first. */
  @Param({"AUTO", "RAW"})
  public Source source;

  private BufferAllocator allocator;
  private ArchiveReader archive;
  private EventQuery query;

  /** Opens archive and store. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    Path root = BenchmarkData.rfYear();
    allocator = new RootAllocator();
    archive = ArchiveReader.builder().archive(root).store(BenchmarkData.halfStore()).open();
    var records = BenchmarkData.rfYearPair().records();
    double lengthNanos = BenchmarkData.days() * Duration.ofDays(1).toNanos();
    long begin = BenchmarkData.rfYearBeginNanos();
    query =
        EventQuery.of(
                ChannelSelection.names(records.entry(records.size() / 2).name())
                    .in(BenchmarkData.RF))
            .between(
                new TimeRange(begin + (long) (lengthNanos * 2 / 3), begin + (long) lengthNanos))
            .from(source);
  }

  /** Closes everything. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    archive.close();
    allocator.close();
  }

  /** Reads the range. */
  @Benchmark
  public long read() throws IOException {
    return AnswerRows.count(archive, query, allocator);
  }
}
