package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
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

/**
 * Reads all events of one channel of 1,000 as Arrow batches. Archive and store are open, and their
 * files are cached.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-opens=java.base/java.nio=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 2)
public class ChannelBenchmark {

  /** The source of the events. */
  @Param({"STORE", "RAW"})
  public Source source;

  /** The encoding of the channel's values. */
  @Param({"dictionary", "byte-stream-split"})
  public String values;

  private BufferAllocator allocator;
  private ArchiveReader archive;
  private EventQuery query;

  /** Opens archive and store. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    Path root = BenchmarkData.rfYear();
    allocator = new RootAllocator();
    archive = ArchiveReader.builder().archive(root).store(BenchmarkData.store(root)).open();
    String name = BenchmarkData.rfYearChannel(values);
    if (name == null) {
      // In a small archive no channel may have this encoding.
      var records = BenchmarkData.rfYearPair().records();
      name = records.entry(records.size() / 2).name();
    }
    query =
        EventQuery.of(ChannelSelection.names(name).in(BenchmarkData.RF))
            .between(TimeRange.ALL)
            .from(source);
  }

  /** Closes everything. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    archive.close();
    allocator.close();
  }

  /** Reads all events. */
  @Benchmark
  public long read() throws IOException {
    return AnswerRows.count(archive, query, allocator);
  }
}
