package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.rows.RowMemory;
import org.kblake.ingest.internal.rows.ScatteredRows;
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

/** Measures scan and scatter: the part of a backfill before encoding and writing. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:MaxDirectMemorySize=2g"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ScatterBenchmark {

  private static final long MEMORY_BYTES = 512L << 20;

  private PairLog log;
  private Path overflow;
  private ScatteredRows rows;

  /** Opens the log. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    log = RfYearLog.open();
    overflow = Files.createTempDirectory("kblake-scatter");
    rows = new ScatteredRows(new RowMemory(MEMORY_BYTES, overflow));
  }

  /** Removes the files of rows that exceeded the memory. */
  @TearDown(Level.Trial)
  public void remove() throws IOException {
    rows.clear();
    Files.delete(overflow);
  }

  /** Scans and scatters all events of all channels. */
  @Benchmark
  public long scatter() throws IOException {
    long taken = 0;
    int segment = 0;
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null, true)) {
      while (scanner.nextSegment()) {
        while (scanner.next()) {
          boolean number =
              scanner.elements() == 1
                  && log.records().entry(scanner.record()).type() != ValueType.STRING;
          rows.add(
              scanner.record(),
              scanner.timeNanos(),
              number ? scanner.valueBits(0) : 0,
              scanner.state(),
              scanner.severity(),
              scanner.status(),
              scanner.stray(),
              segment,
              scanner.latenessNanos(),
              scanner.tie());
        }
        segment++;
        if (rows.full()) {
          taken += rows.rows();
          rows.clear();
        }
      }
    }
    taken += rows.rows();
    rows.clear();
    return taken;
  }
}
