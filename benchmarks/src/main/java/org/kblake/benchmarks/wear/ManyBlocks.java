package org.kblake.benchmarks.wear;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;

/**
 * Groups with a block for each ten minutes of a part of a day, as they are before a merge.
 *
 * @param archive the archive
 * @param store its store
 * @param groups the number of groups
 * @param segments the number of segments of each group, at most a day of them
 */
record ManyBlocks(Path archive, Path store, int groups, int segments) {

  static final int RECORDS = 50;

  private static final long SEGMENT_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** More events than a block needs to be merged at any time. */
  private static final int EVENTS_OF_RECORD = 40;

  /** A midnight of the archive's zone. */
  private static final Instant BEGIN = Instant.parse("2024-03-01T15:00:00Z");

  private static final String STAMP = "20240302000000";

  /** Returns the archive and its store, which are made if they do not exist. */
  static ManyBlocks of(int groups, int segments) throws IOException {
    String name = "wear-blocks-" + groups + "-" + segments;
    Path archive = BenchmarkData.made(name, root -> write(root, groups, segments));
    Path store = BenchmarkData.made(name + "-store", root -> backfill(archive, root, segments));
    return new ManyBlocks(archive, store, groups, segments);
  }

  static Group group(int number) {
    return new Group("RF", "Wear" + number);
  }

  static String channel(int group, int record) {
    return "RF:WEAR" + group + ":" + record;
  }

  /** Returns the time of a segment, counted from 0. */
  static TimeRange segment(int number) {
    long begin = TimeUnit.SECONDS.toNanos(BEGIN.getEpochSecond()) + number * SEGMENT_NANOS;
    return new TimeRange(begin, begin + SEGMENT_NANOS);
  }

  private static void write(Path archive, int groups, int segments) throws IOException {
    for (int group = 0; group < groups; group++) {
      writeGroup(archive, group, segments);
    }
    FileTime past = FileTime.from(segmentEnd(segments));
    try (Stream<Path> files = Files.walk(archive)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Files.setLastModifiedTime(file, past);
      }
    }
  }

  private static void backfill(Path archive, Path store, int segments)
      throws IOException, InterruptedException {
    for (int segment = 0; segment < segments; segment++) {
      TimeRange range = new TimeRange(Long.MIN_VALUE, segment(segment).toNanos());
      BenchmarkData.backfill(archive, store, WriteProfile.STANDARD, 2, range);
    }
  }

  private static Instant segmentEnd(int segments) {
    return BEGIN.plusNanos(segments * SEGMENT_NANOS);
  }

  private static void writeGroup(Path archive, int group, int segments) throws IOException {
    List<RecordEntry> entries = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      entries.add(new RecordEntry(i, channel(group, i), ValueType.DOUBLE, 1));
    }
    SplittableRandom random = new SplittableRandom(group);
    try (LogWriter log =
        LogWriter.create(
            archive, group(group), STAMP, ByteOrder.BIG_ENDIAN, new RecordTable(entries))) {
      for (int segment = 0; segment < segments; segment++) {
        long nanos = segment(segment).fromNanos();
        log.milestone(nanos);
        int events = RECORDS * EVENTS_OF_RECORD;
        for (int i = 0; i < events; i++) {
          long at = nanos + (i + 1) * (SEGMENT_NANOS / (events + 1));
          log.number(i % RECORDS, at, 0, 0, Double.doubleToRawLongBits(random.nextDouble()));
        }
      }
      log.milestone(segment(segments).fromNanos());
    }
  }
}
