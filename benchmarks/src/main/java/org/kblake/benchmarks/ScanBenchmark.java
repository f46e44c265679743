package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
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
 * Reads one channel of 1,000 from a log in the page cache. For comparison, another benchmark sums
 * the same mapping.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ScanBenchmark {

  private PairLog log;
  private FileChannel channel;
  private BitSet wanted;

  /** Opens the log and loads it into the page cache. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    log = BenchmarkData.rfYearPair();
    channel = FileChannel.open(log.pair().logPath());
    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()).load();
    wanted = new BitSet();
    wanted.set(log.records().size() / 2);
  }

  /** Closes the log. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    channel.close();
  }

  /**
   * Sums all bytes of the log without interpreting them, as the limit. It maps the log, as a scan
   * does.
   */
  @Benchmark
  public long sumLongs() throws IOException {
    MappedByteBuffer mapping = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    long sum = 0;
    int end = mapping.limit() - Long.BYTES;
    for (int at = 0; at <= end; at += Long.BYTES) {
      sum += mapping.getLong(at);
    }
    return sum;
  }

  /** Reads one channel with every check of the format. */
  @Benchmark
  public long oneChannel() throws IOException {
    long sum = 0;
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), wanted)) {
      while (scanner.nextSegment()) {
        while (scanner.next()) {
          sum += scanner.timeNanos() + (scanner.elements() > 0 ? scanner.valueBits(0) : 0);
        }
      }
    }
    return sum;
  }
}
