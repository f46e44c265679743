package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * Channels of doubles at 1 Hz, as in the published test of J-PARC's archiver. The values are random
 * numbers of 53 bits between 0 and 1, or constant numbers. Each channel has its own phase.
 *
 * @param channels the number of channels
 * @param length the recorded time
 * @param jitterNanos the bound of the random delay of times; 0 for regular times
 * @param constant whether the value of a channel never changes
 */
public record RandomDoubles(int channels, Duration length, int jitterNanos, boolean constant) {

  /** The group of the channels. */
  public static final Group GROUP = new Group("JP", "Doubles");

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long MILESTONE_SECONDS = 600;

  /** A pair is a day long, or an hour if a day has more values than this. */
  private static final long MAX_VALUES = 100_000_000;

  private static final Instant BEGIN = Instant.parse("2016-05-15T15:00:00Z");
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneId.of("Asia/Tokyo"));

  /** Returns the begin of the archive, nanoseconds since 1970 UTC. */
  public static long beginNanos() {
    return BEGIN.getEpochSecond() * SECOND_NANOS;
  }

  /** Returns a channel's name. */
  public static String channel(int number) {
    return "JP:DOUBLE:" + number;
  }

  /** Returns the number of values. */
  public long values() {
    return channels * length.toSeconds();
  }

  /** Returns the archive with seed 1. */
  public Path archive() throws IOException {
    String kind = constant ? "constant" : jitterNanos == 0 ? "regular" : "jitter-" + jitterNanos;
    return BenchmarkData.made(
        "doubles-" + channels + "-" + length.toSeconds() + "-" + kind, this::write);
  }

  private void write(Path root) throws IOException {
    List<RecordEntry> entries = new ArrayList<>();
    for (int i = 0; i < channels; i++) {
      entries.add(new RecordEntry(i, channel(i), ValueType.DOUBLE, 1));
    }
    RecordTable records = new RecordTable(entries);
    SplittableRandom random = new SplittableRandom(1);
    LogWriter states = null;
    long pairSeconds = 86_400L * channels > MAX_VALUES ? 3_600 : 86_400;
    for (long from = 0; from < length.toSeconds(); from += pairSeconds) {
      long to = Math.min(length.toSeconds(), from + pairSeconds);
      states = writePair(root, records, random, states, from, to);
    }
    FileTime past = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Files.setLastModifiedTime(file, past);
      }
    }
  }

  private LogWriter writePair(
      Path root,
      RecordTable records,
      SplittableRandom random,
      @Nullable LogWriter before,
      long from,
      long to)
      throws IOException {
    String stamp = STAMP.format(BEGIN.plusSeconds(from));
    try (LogWriter writer = LogWriter.create(root, GROUP, stamp, ByteOrder.BIG_ENDIAN, records)) {
      if (before != null) {
        writer.continueFrom(before);
      }
      for (long second = from; second < to; second++) {
        long nanos = beginNanos() + second * SECOND_NANOS;
        if (second % MILESTONE_SECONDS == 0) {
          writer.milestone(nanos);
        }
        for (int channel = 0; channel < channels; channel++) {
          long due = nanos + channel * SECOND_NANOS / channels;
          double value = constant ? channel : random.nextDouble();
          writer.number(
              channel,
              due + (jitterNanos == 0 ? 0 : random.nextInt(jitterNanos)),
              0,
              0,
              Double.doubleToRawLongBits(value));
        }
      }
      return writer;
    }
  }
}
