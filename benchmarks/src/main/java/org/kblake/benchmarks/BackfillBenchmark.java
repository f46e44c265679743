package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.TimeRange;
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

/** Measures the backfill of rf-year: scan, scatter, encode, write and force. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx256m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=2g"})
@Warmup(iterations = 4)
@Measurement(iterations = 5)
public class BackfillBenchmark {

  /** The number of threads. */
  @Param({"1", "2"})
  public int threads;

  private Path archive;
  private Path store;

  /** Creates an empty directory for the store. */
  @Setup(Level.Invocation)
  public void begin() throws IOException {
    archive = BenchmarkData.rfYear();
    store = Files.createTempDirectory(archive.getParent(), "unfinished-");
  }

  /** Removes the store. */
  @TearDown(Level.Invocation)
  public void remove() throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : List.copyOf(files.sorted(Comparator.reverseOrder()).toList())) {
        Files.delete(file);
      }
    }
  }

  /** Backfills all of rf-year. */
  @Benchmark
  public long backfill() throws IOException, InterruptedException {
    return BenchmarkData.backfill(archive, store, WriteProfile.STANDARD, threads, TimeRange.ALL)
        .events();
  }
}
