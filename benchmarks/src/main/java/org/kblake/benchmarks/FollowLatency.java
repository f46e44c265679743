package org.kblake.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.core.store.EventColumns;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ChannelSelection;
import org.kblake.query.EventFollower;
import org.kblake.query.FollowQuery;

/**
 * Measures the time from a write to a log until the event comes out of a follower: one thread
 * writes events one by one, their values are the clock's time before the write. Aim: 50 ms at the
 * 99th percentile, looking every 10 ms.
 */
public final class FollowLatency {

  private static final int GROUPS = 8;
  private static final int RECORDS = 1000;
  private static final long EVENT_INTERVAL_NANOS = 400_000;
  private static final long MILESTONE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final double MILLI = 1e6;

  /** Compiling is not what is measured. */
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Path root;
  private final int seconds;
  private final Duration poll;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private FollowLatency(Path root, int seconds, Duration poll) {
    this.root = root;
    this.seconds = seconds;
    this.poll = poll;
  }

  /** See benchmarks/follow. */
  public static void main(String[] args) throws Exception {
    int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 60;
    Duration poll = Duration.ofMillis(args.length > 1 ? Integer.parseInt(args[1]) : 10);
    Path data = Path.of(System.getProperty("kblake.benchmarks.data", "target/data"));
    Path root = Files.createTempDirectory(Files.createDirectories(data), "follow");
    try {
      long[] latencies = new FollowLatency(root, seconds, poll).measure();
      print(latencies, poll, new PrintStream(System.out, true, StandardCharsets.UTF_8));
    } finally {
      delete(root);
    }
  }

  private static void print(long[] latencies, Duration poll, PrintStream out) {
    Arrays.sort(latencies);
    out.printf(
        Locale.ROOT,
        "write to visible, %d groups, poll %d ms, %,d events: p50 %.1f ms, p99 %.1f ms, most %.1f"
            + " ms%n",
        GROUPS,
        poll.toMillis(),
        latencies.length,
        percentile(latencies, 50),
        percentile(latencies, 99),
        percentile(latencies, 100));
  }

  private static double percentile(long[] sorted, int percent) {
    int rank = (int) Math.ceil(sorted.length * (percent / 100.0));
    return sorted[Math.max(0, rank - 1)] / MILLI;
  }

  /** Nanoseconds of each event, those of the first seconds left out. */
  long[] measure() throws IOException, InterruptedException {
    List<LogWriter> writers = new ArrayList<>();
    try {
      long now = now();
      for (int i = 0; i < GROUPS; i++) {
        writers.add(writer("G" + i, now));
      }
      Thread writing = new Thread(() -> write(writers), "kblog");
      long[] latencies = follow(writing);
      writing.join();
      Throwable failed = failure.get();
      if (failed != null) {
        throw new IOException(failed);
      }
      return latencies;
    } finally {
      for (LogWriter writer : writers) {
        writer.close();
      }
    }
  }

  private LogWriter writer(String name, long now) throws IOException {
    List<RecordEntry> records = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      records.add(new RecordEntry(i, name + ":R" + i, ValueType.DOUBLE, 1));
    }
    Group group = new Group("RF", name);
    String stamp = PairName.at(name, now, ZoneId.of("Asia/Tokyo")).stamp();
    LogWriter writer =
        LogWriter.create(root, group, stamp, ByteOrder.BIG_ENDIAN, new RecordTable(records));
    writer.milestone(now);
    writer.flush();
    return writer;
  }

  private static long now() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  private void write(List<LogWriter> writers) {
    try {
      long begin = System.nanoTime();
      long nextMilestone = begin + MILESTONE_INTERVAL_NANOS;
      int events = (int) (TimeUnit.SECONDS.toNanos(seconds) / EVENT_INTERVAL_NANOS);
      for (int i = 0; i < events; i++) {
        long due = begin + i * EVENT_INTERVAL_NANOS;
        while (System.nanoTime() - due < 0) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        if (due - nextMilestone >= 0) {
          nextMilestone += MILESTONE_INTERVAL_NANOS;
          for (LogWriter writer : writers) {
            writer.milestone(now());
            writer.flush();
          }
        }
        LogWriter writer = writers.get(i % GROUPS);
        double clock = System.nanoTime();
        writer.number(i / GROUPS % RECORDS, now(), 0, 0, Double.doubleToRawLongBits(clock));
        writer.flush();
      }
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    }
  }

  private long[] follow(Thread writing) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    long[] latencies = new long[1 << 16];
    int count = 0;
    FollowQuery query =
        FollowQuery.of(ChannelSelection.glob("*"), Instant.now().minusSeconds(60)).polling(poll);
    try (ArchiveReader archive = ArchiveReader.builder().archive(root).open();
        EventFollower follower = archive.follow(query)) {
      follower.next(Duration.ZERO);
      writing.start();
      while (true) {
        boolean ended = !writing.isAlive();
        if (!follower.next(poll.multipliedBy(2))) {
          if (ended) {
            return Arrays.copyOf(latencies, count);
          }
          continue;
        }
        long visible = System.nanoTime();
        EventColumns columns = follower.columns();
        for (int row = follower.from(); row < follower.to(); row++) {
          long written = (long) Double.longBitsToDouble(columns.values[row]);
          if (seconds * SECOND_NANOS <= WARM_UP_NANOS || written - begin >= WARM_UP_NANOS) {
            latencies = count == latencies.length ? Arrays.copyOf(latencies, 2 * count) : latencies;
            latencies[count++] = visible - written;
          }
        }
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
