package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * A group of two channels. One has its only event on the first day, the other has an event each
 * minute.
 */
final class QuietChannel {

  static final Group GROUP = new Group("MISC", "Quiet");
  static final String NAME = "MISC:QUIET";

  private static final Duration PAIR = Duration.ofDays(5);
  private static final long MILESTONE_NANOS = Duration.ofMinutes(10).toNanos();
  private static final long EVENT_NANOS = Duration.ofMinutes(1).toNanos();
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneId.of("Asia/Tokyo"));

  private QuietChannel() {}

  /** Adds the group to an archive. */
  static void write(Path root, Instant begin, Duration length) throws IOException {
    RecordTable records =
        new RecordTable(
            List.of(
                new RecordEntry(0, NAME, ValueType.DOUBLE, 1),
                new RecordEntry(1, "MISC:BUSY", ValueType.DOUBLE, 1)));
    LogWriter states = null;
    for (Instant from = begin; from.isBefore(begin.plus(length)); from = from.plus(PAIR)) {
      Instant end = begin.plus(length);
      Instant to = from.plus(PAIR).isBefore(end) ? from.plus(PAIR) : end;
      states = writePair(root, records, states, from, to);
    }
    FileTime past = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    try (var files = Files.list(root.resolve(GROUP.system()))) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, past);
      }
    }
  }

  private static LogWriter writePair(
      Path root, RecordTable records, @Nullable LogWriter before, Instant from, Instant to)
      throws IOException {
    try (LogWriter writer =
        LogWriter.create(root, GROUP, STAMP.format(from), ByteOrder.BIG_ENDIAN, records)) {
      if (before != null) {
        writer.continueFrom(before);
      }
      long begin = from.getEpochSecond() * 1_000_000_000L;
      long end = to.getEpochSecond() * 1_000_000_000L;
      for (long nanos = begin; nanos < end; nanos += EVENT_NANOS) {
        if ((nanos - begin) % MILESTONE_NANOS == 0) {
          writer.milestone(nanos);
        }
        if (before == null && nanos == begin) {
          writer.number(0, nanos, 0, 0, Double.doubleToRawLongBits(1.5));
        }
        writer.number(1, nanos, 0, 0, Double.doubleToRawLongBits((double) (nanos % 977)));
      }
      return writer;
    }
  }
}
