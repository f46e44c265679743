package org.kblake.benchmarks.jparc;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * Channels at 1 Hz for some days, with seed 1: an archive with a pair for each day, and for HBase
 * the same events in a file for each day. Each channel has its own phase.
 *
 * @param daySeconds the length of a day; shorter than a real one for small data
 */
record SimulatedDays(ValueKind values, int channels, int days, int daySeconds) {

  static final Group GROUP = new Group("JP", "Channels");

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final int MILESTONE_SECONDS = 600;
  private static final Instant BEGIN = Instant.parse("2016-05-15T15:00:00Z");
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneId.of("Asia/Tokyo"));

  /** Returns a channel's name. HBase's keys begin with it, too. */
  static String channel(int number) {
    return "JP:CHANNEL:" + number;
  }

  /** Returns the number of events of a day. */
  long eventsOfDay() {
    return (long) channels * daySeconds;
  }

  /** Returns the time of a day, counted from 0. */
  TimeRange day(int day) {
    long begin = (BEGIN.getEpochSecond() + (long) day * daySeconds) * SECOND_NANOS;
    return new TimeRange(begin, begin + daySeconds * SECOND_NANOS);
  }

  Path archive() throws IOException {
    return directory().resolve("archive");
  }

  /** Returns the files of a day's pair. */
  List<Path> logs(int day) throws IOException {
    try (Stream<Path> files = Files.walk(archive())) {
      return files.filter(it -> it.toString().contains(stamp(day))).toList();
    }
  }

  private String stamp(int day) {
    return STAMP.format(Instant.ofEpochSecond(day(day).fromNanos() / SECOND_NANOS));
  }

  /** Returns the file of a day's events: channel (int), nanoseconds (long), bits (long). */
  Path events(int day) throws IOException {
    return directory().resolve("events-" + day);
  }

  private Path directory() throws IOException {
    return BenchmarkData.made(
        "jparc-" + values.file() + "-" + channels + "-" + days + "-" + daySeconds, this::write);
  }

  private void write(Path root) throws IOException {
    List<RecordEntry> entries = new ArrayList<>();
    for (int i = 0; i < channels; i++) {
      entries.add(new RecordEntry(i, channel(i), values.type(), 1));
    }
    RecordTable records = new RecordTable(entries);
    SplittableRandom random = new SplittableRandom(1);
    long[] before = new long[channels];
    LogWriter states = null;
    for (int day = 0; day < days; day++) {
      states = writeDay(root, records, random, before, states, day);
    }
    FileTime past = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Files.setLastModifiedTime(file, past);
      }
    }
  }

  private LogWriter writeDay(
      Path root,
      RecordTable records,
      SplittableRandom random,
      long[] before,
      @Nullable LogWriter states,
      int day)
      throws IOException {
    long begin = day(day).fromNanos();
    Path archive = root.resolve("archive");
    ByteOrder order = ByteOrder.BIG_ENDIAN;
    try (LogWriter log = LogWriter.create(archive, GROUP, stamp(day), order, records);
        DataOutputStream events =
            new DataOutputStream(
                new BufferedOutputStream(
                    Files.newOutputStream(root.resolve("events-" + day)), 1 << 16))) {
      if (states != null) {
        log.continueFrom(states);
      }
      for (int second = 0; second < daySeconds; second++) {
        if (second % MILESTONE_SECONDS == 0) {
          log.milestone(begin + second * SECOND_NANOS);
        }
        for (int channel = 0; channel < channels; channel++) {
          long nanos = begin + second * SECOND_NANOS + channel * SECOND_NANOS / channels;
          before[channel] = values.next(random, before[channel]);
          log.number(channel, nanos, 0, 0, before[channel]);
          events.writeInt(channel);
          events.writeLong(nanos);
          events.writeLong(before[channel]);
        }
      }
      return log;
    }
  }
}
