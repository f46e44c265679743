package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.store.Store;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.KblakeProcess;

/**
 * The memory of a backfill and of a compaction is bounded by {@code --memory}. It depends neither
 * on the size of the archive nor on that of the blocks. The test measures anonymous resident
 * memory, as the operating system counts it, with the options of the launcher.
 */
class MemoryTest {

  private static final Group MANY_CHANNELS = new Group("MG", "Magnets");
  private static final long MIB = 1 << 20;
  private static final long BUDGET = 64 * MIB;

  /** The limits, with 30 to 40 MiB more than each command took. */
  private static final long BACKFILL_LIMIT = 240 * MIB;

  private static final long COMPACT_LIMIT = 176 * MIB;
  private static final long QUIET_LIMIT = 144 * MIB;

  private static final long BEGIN_NANOS = 1_463_324_400_000_000_000L;
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path directory;

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 11 s of a processor")
  @Test
  @EnabledOnOs(OS.LINUX)
  void backfillAndCompactionKeepToTheirBudget() throws Exception {
    Path archive = directory.resolve("archive");
    writeManyChannels(archive, 60_380, 6);
    writeWaveforms(archive, 1_000);
    writeLongLog(archive, Seeds.cases(2, 3) * BUDGET);
    assertThat(peakOf("backfill", archive)).isBetween(BUDGET / 2, BACKFILL_LIMIT);
    assertThat(blocks()).isGreaterThan(5);
    assertThat(blocks(MANY_CHANNELS)).isEqualTo(1);
    assertThat(peakOf("compact", archive)).isBetween(BUDGET / 2, COMPACT_LIMIT);
    assertThat(blocks()).isEqualTo(3);
  }

  /** There are few events, but each pair has all records of the group. */
  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 7 s of a processor")
  @Test
  @EnabledOnOs(OS.LINUX)
  void quietPairsOfYearsKeepToTheBudget() throws Exception {
    Path archive = directory.resolve("archive");
    writeQuietPairs(archive, 3_000, 200);
    closeAll(archive);
    assertThat(peakOf("backfill", archive)).isLessThan(QUIET_LIMIT);
    assertThat(blocks()).isBetween(10L, 100L);
  }

  /** Makes the files look unmodified for long, so that their pairs count as closed. */
  private static void closeAll(Path archive) throws IOException {
    try (Stream<Path> files = Files.walk(archive)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
      }
    }
  }

  private long blocks() throws IOException {
    try (Store store = Store.open(directory.resolve("store"), null)) {
      long blocks = 0;
      for (Group group : store.groups()) {
        blocks += blocks(group);
      }
      return blocks;
    }
  }

  private long blocks(Group group) throws IOException {
    try (Store store = Store.open(directory.resolve("store"), null)) {
      return store.blocks(group, problem -> {}).size();
    }
  }

  private long peakOf(String command, Path archive) throws Exception {
    Path err = directory.resolve("err");
    Process process =
        KblakeProcess.start(
            List.of(
                "-XX:+UseSerialGC",
                "-Xms32m",
                "-Xmx512m",
                "-XX:MaxNewSize=10m",
                "-XX:MinHeapFreeRatio=10",
                "-XX:MaxHeapFreeRatio=20",
                "-XX:ReservedCodeCacheSize=96m",
                "-XX:MaxDirectMemorySize=256g"),
            directory,
            err,
            command,
            "-q",
            "--threads=2",
            "--memory=" + BUDGET / MIB + "M",
            "--archive=" + archive,
            "--store=" + directory.resolve("store"));
    long peak = 0;
    while (!process.waitFor(5, TimeUnit.MILLISECONDS)) {
      peak = Math.max(peak, anonymousBytes(process.pid()));
    }
    assertThat(process.exitValue()).describedAs(Files.readString(err)).isZero();
    System.out.println(command + ": " + peak / MIB + " MiB at most");
    return peak;
  }

  /** Returns the memory of a process, 0 if it has ended. */
  private static long anonymousBytes(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
      return lines
          .filter(line -> line.startsWith("RssAnon:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  private static RecordTable table(int records, ValueType type, int elements, String prefix) {
    List<RecordEntry> entries = new ArrayList<>();
    for (int id = 0; id < records; id++) {
      entries.add(new RecordEntry(id, prefix + id + ":READBACK", type, elements));
    }
    return new RecordTable(entries);
  }

  /** Writes a group as large as any of KEKB, with a milestone after each event of each channel. */
  private static void writeManyChannels(Path archive, int channels, int milestones)
      throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (LogWriter writer =
        LogWriter.create(
            archive,
            MANY_CHANNELS,
            "20160516000000",
            ByteOrder.BIG_ENDIAN,
            table(channels, ValueType.DOUBLE, 1, "MGQUAD:POWER:SUPPLY:"))) {
      long nanos = BEGIN_NANOS;
      for (int milestone = 0; milestone < milestones; milestone++) {
        writer.milestone(nanos);
        for (int channel = 0; channel < channels; channel++) {
          nanos += 60_000 + random.nextInt(1_000);
          writer.number(channel, nanos, 0, 0, random.nextLong());
        }
      }
    }
  }

  /** Writes a pair a day with events of few channels. */
  private static void writeQuietPairs(Path archive, int channels, int pairs) throws IOException {
    RecordTable table = table(channels, ValueType.DOUBLE, 1, "VA:GAUGE:CALIBRATION:");
    LocalDateTime day = LocalDateTime.of(2016, 5, 16, 0, 0);
    for (int pair = 0; pair < pairs; pair++) {
      long nanos = BEGIN_NANOS + pair * (86_400 * SECOND);
      try (LogWriter writer =
          LogWriter.create(
              archive,
              new Group("VA", "Gauge"),
              STAMP.format(day.plusDays(pair)),
              ByteOrder.BIG_ENDIAN,
              table)) {
        writer.milestone(nanos);
        for (int i = 0; i < 100; i++) {
          writer.number(pair * 7 % channels, nanos + i * SECOND, 0, 0, i);
        }
      }
    }
  }

  private static void writeWaveforms(Path archive, int events) throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    int elements = 5_120;
    long[] bits = new long[elements];
    try (LogWriter writer =
        LogWriter.create(
            archive,
            new Group("BM", "BCM"),
            "20160516000000",
            ByteOrder.BIG_ENDIAN,
            table(3, ValueType.DOUBLE, elements, "FBL:BCM:"))) {
      for (int i = 0; i < events; i++) {
        long nanos = BEGIN_NANOS + i * SECOND;
        if (i % 600 == 0) {
          writer.milestone(nanos);
        }
        for (int at = 0; at < elements; at++) {
          bits[at] = Double.doubleToRawLongBits(random.nextInt(4096) * 0.25);
        }
        writer.numbers(i % 3, nanos, 0, 0, bits, 0, elements);
      }
    }
  }

  /** Writes few channels, so that each has as many rows as a block can hold. */
  private static void writeLongLog(Path archive, long bytes) throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    try (LogWriter writer =
        LogWriter.create(
            archive,
            new Group("RF", "Fast"),
            "20160516000000",
            ByteOrder.BIG_ENDIAN,
            table(5, ValueType.DOUBLE, 1, "RF:FAST:"))) {
      long nanos = BEGIN_NANOS;
      for (int i = 0; writer.logBytes() < bytes; i++) {
        if (i % 100_000 == 0) {
          writer.milestone(nanos);
        }
        nanos += 1_000_000 + random.nextInt(100_000);
        writer.number(i % 5, nanos, 0, 0, Double.doubleToRawLongBits(random.nextDouble()));
      }
    }
  }
}
