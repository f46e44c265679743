package org.kblake.benchmarks.transfer;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * Logs as the recorder's source {@code cpu} writes them: a group HOST/CPUn for each core, with a
 * waveform of four longs each 100 us. Values are process, thread, and a random address, seed 1.
 */
final class CoreLogs implements Closeable {

  static final int RECORDS_PER_SECOND = 10_000;

  private static final long INTERVAL_NANOS = 1_000_000_000L / RECORDS_PER_SECOND;

  /** 2026-11-01 00:00 UTC. */
  private static final long BEGIN_NANOS = 1_793_491_200_000_000_000L;

  private final List<LogWriter> writers = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(1);
  private final long[] bits = new long[4];
  private long records;
  private volatile boolean stopped;

  /** Begins a pair for each core. */
  CoreLogs(Path root, int cores) throws IOException {
    for (int core = 0; core < cores; core++) {
      RecordEntry record = new RecordEntry(0, channel(core), ValueType.LONG, bits.length);
      String stamp = PairName.at("CPU" + core, BEGIN_NANOS, ZoneId.of("Asia/Tokyo")).stamp();
      writers.add(
          LogWriter.create(
              root,
              new Group("HOST", "CPU" + core),
              stamp,
              ByteOrder.BIG_ENDIAN,
              new RecordTable(List.of(record))));
    }
    milestone();
  }

  private static String channel(int core) {
    return "BENCH:PERF:CPU" + core;
  }

  private long timeNanos() {
    return BEGIN_NANOS + records * INTERVAL_NANOS;
  }

  private void milestone() throws IOException {
    for (LogWriter writer : writers) {
      writer.milestone(timeNanos());
      writer.flush();
    }
  }

  private void next(int core) {
    bits[0] = 1000L + core;
    bits[1] = bits[0] + random.nextInt(8);
    bits[2] = 0xffff;
    bits[3] = random.nextInt();
  }

  /** Adds records to each core's log. */
  void write(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      records++;
      for (int core = 0; core < writers.size(); core++) {
        next(core);
        writers.get(core).numbers(0, timeNanos(), 0, 0, bits, 0, bits.length);
      }
      if (records % RECORDS_PER_SECOND == 0) {
        milestone();
      }
    }
    for (LogWriter writer : writers) {
      writer.flush();
    }
  }

  /** Adds records in real time, each 10 ms, until {@link #stop}. */
  void grow() throws IOException {
    long begin = System.nanoTime();
    int burst = RECORDS_PER_SECOND / 100;
    for (long i = 1; !stopped; i++) {
      LockSupport.parkNanos(begin + i * TimeUnit.MILLISECONDS.toNanos(10) - System.nanoTime());
      write(burst);
    }
  }

  void stop() {
    stopped = true;
  }

  /** Returns how many records each core has. */
  long recordsOfACore() {
    return records;
  }

  /** Returns a record of a core as the line that kblake ship writes, for other programs. */
  String line(int core) {
    next(core);
    return String.format(
        Locale.ROOT,
        "kblake,channel=%s,group=HOST/CPU%d list=\"[%d,%d,%d,%d]\",severity=0i,status=0i %d%n",
        channel(core),
        core,
        bits[0],
        bits[1],
        bits[2],
        bits[3],
        BEGIN_NANOS + ++records * INTERVAL_NANOS);
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(writers.toArray(LogWriter[]::new));
  }
}
