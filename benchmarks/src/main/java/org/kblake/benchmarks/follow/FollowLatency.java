package org.kblake.benchmarks.follow;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.core.columns.EventColumns;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventFollower;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;

/**
 * Measures the time from the write of an event to a log until a follower returns the event. One
 * thread writes events one by one. The value of an event is the time before its write. Aim: 50 ms
 * at the 99th percentile, with a poll interval of 10 ms.
 */
public final class FollowLatency {

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final double MILLI = 1e6;

  /** Events in this time are not counted, because the JVM is still compiling code. */
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

  /** Runs the measurement, see benchmarks/follow. */
  public static void main(String[] args) throws Exception {
    int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 60;
    Duration poll = Duration.ofMillis(args.length > 1 ? Integer.parseInt(args[1]) : 10);
    Path data = Path.of(System.getProperty("kblake.benchmarks.data", "target/data"));
    Path root = Files.createTempDirectory(Files.createDirectories(data), "follow");
    try {
      long[] latencies = new FollowLatency(root, seconds, poll).measure();
      print(latencies, poll, new PrintStream(System.out, true, StandardCharsets.UTF_8));
    } finally {
      Commands.delete(root);
    }
  }

  private static void print(long[] latencies, Duration poll, PrintStream out) {
    Arrays.sort(latencies);
    out.printf(
        Locale.ROOT,
        "write to visible, %d groups, poll %d ms, %,d events: p50 %.1f ms, p99 %.1f ms, most %.1f"
            + " ms%n",
        GrowingGroups.GROUPS,
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

  /** Returns the latency of each event in nanoseconds, without the events of the first seconds. */
  long[] measure() throws IOException, InterruptedException {
    try (GrowingGroups groups = new GrowingGroups(root, GrowingGroups.SUPERKEKB_EVENTS)) {
      Thread writing = new Thread(() -> write(groups), "kblog");
      long[] latencies = follow(writing);
      writing.join();
      Throwable failed = failure.get();
      if (failed != null) {
        throw new IOException(failed);
      }
      return latencies;
    }
  }

  private void write(GrowingGroups groups) {
    try {
      groups.write(seconds, Integer.MAX_VALUE);
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
}
