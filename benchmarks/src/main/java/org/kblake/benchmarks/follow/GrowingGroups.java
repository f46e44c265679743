package org.kblake.benchmarks.follow;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * Eight growing groups of 1,000 records. Events are written one by one. An event's value is {@link
 * System#nanoTime} before its write.
 */
final class GrowingGroups implements Closeable {

  static final int GROUPS = 8;

  /** The rate of events of all of SuperKEKB per second. */
  static final int SUPERKEKB_EVENTS = 2_500;

  private static final int RECORDS = 1000;
  private static final long MILESTONE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Path root;
  private final long intervalNanos;
  private final List<LogWriter> writers = new ArrayList<>();

  /**
   * Begins a pair of each group.
   *
   * @param root the root of the archive, an existing directory
   * @param eventsPerSecond the rate of all groups together
   */
  GrowingGroups(Path root, int eventsPerSecond) throws IOException {
    this.root = root;
    intervalNanos = TimeUnit.SECONDS.toNanos(1) / eventsPerSecond;
    begin();
  }

  private void begin() throws IOException {
    for (LogWriter writer : writers) {
      writer.close();
    }
    writers.clear();
    long now = now();
    for (int i = 0; i < GROUPS; i++) {
      writers.add(writer("G" + i, now));
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

  /**
   * Writes events.
   *
   * @param seconds the length of the time
   * @param pairSeconds the length of a pair
   */
  void write(int seconds, int pairSeconds) throws IOException {
    long begin = System.nanoTime();
    long nextMilestone = begin + MILESTONE_INTERVAL_NANOS;
    long nextPair = begin + TimeUnit.SECONDS.toNanos(pairSeconds);
    long events = TimeUnit.SECONDS.toNanos(seconds) / intervalNanos;
    for (long i = 0; i < events; i++) {
      long due = begin + i * intervalNanos;
      while (System.nanoTime() - due < 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      if (due - nextPair >= 0) {
        nextPair += TimeUnit.SECONDS.toNanos(pairSeconds);
        begin();
      }
      if (due - nextMilestone >= 0) {
        nextMilestone += MILESTONE_INTERVAL_NANOS;
        for (LogWriter writer : writers) {
          writer.milestone(now());
          writer.flush();
        }
      }
      LogWriter writer = writers.get((int) (i % GROUPS));
      double clock = System.nanoTime();
      writer.number((int) (i / GROUPS % RECORDS), now(), 0, 0, Double.doubleToRawLongBits(clock));
      writer.flush();
    }
  }

  @Override
  public void close() throws IOException {
    for (LogWriter writer : writers) {
      writer.close();
    }
  }
}
