package org.kblake.hbase.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.RandomLogs;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.hbase.cell.BatchCells;
import org.kblake.hbase.cell.CellCompression;
import org.kblake.hbase.cell.CellDigest;
import org.kblake.hbase.destination.BatchTarget;
import org.kblake.hbase.destination.DirectoryTarget;
import org.kblake.hbase.destination.ExportBatch;
import org.kblake.hbase.fixture.Answers;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.Source;

/** The batches of an export, and what is told of its progress. */
final class ExportTest {

  /** More than thirty years, of which the archive has a day. */
  private static final TimeRange YEARS =
      new TimeRange(
          EpochNanos.of(Instant.parse("1990-01-01T00:00:00Z")),
          EpochNanos.of(Instant.parse("2025-01-01T00:00:00Z")));

  private static final Duration DAY = Duration.ofDays(1);

  @TempDir private Path directory;

  private final List<ExportBatch> written = new ArrayList<>();
  private final Set<String> rows = new TreeSet<>();
  private long events;
  private long cells;
  private int done;

  private final BatchTarget target =
      new BatchTarget() {
        @Override
        public boolean has(ExportBatch batch, CellDigest digest) {
          return digest.cells() == 0;
        }

        @Override
        public void write(ExportBatch batch, BatchCells from, CellDigest digest)
            throws IOException, InterruptedException {
          written.add(batch);
          from.forEach(
              (row, rowBytes, value, valueAt, valueBytes) ->
                  rows.add(Bytes.toStringBinary(row, 0, rowBytes)));
        }
      };

  private Path archive() {
    return directory.resolve("archive");
  }

  private void export(TimeRange range, long memoryBytes) throws Exception {
    export(target, range, memoryBytes);
  }

  private void export(BatchTarget to, TimeRange range, long memoryBytes) throws Exception {
    try (ArchiveReader archive = ArchiveReader.builder().archive(archive()).open()) {
      ExportQuestion question =
          ExportQuestion.of(archive, ChannelSelection.glob("*"), range, Source.AUTO);
      new Export(archive, question, DAY, memoryBytes, true)
          .run(
              to,
              false,
              new Export.Listener() {
                @Override
                public void read(long bytes, long more) {
                  events += more;
                }

                @Override
                public void done(long more, boolean isWritten) {
                  cells += more;
                  done++;
                }
              });
    }
  }

  /**
   * Each read opens the last log before it, so years without events must not be read by the day.
   */
  @Test
  void yearsWithoutEventsAreFewReads() throws Exception {
    RandomLogs.write(archive(), 4);
    export(YEARS, 1 << 20);
    assertThat(rows)
        .hasSize(
            Answers.ofGroups(archive(), RandomLogs.EVERYTHING).values().stream()
                .mapToInt(List::size)
                .sum());
    assertThat(written)
        .isNotEmpty()
        .allMatch(each -> each.range().toNanos() - each.range().fromNanos() == EpochNanos.of(DAY));
    assertThat(done).isLessThan(200);
  }

  /** A batch without room is read again in parts, and does not count twice. */
  @Test
  void progressCountsEachEventOnce() throws Exception {
    RandomLogs.write(archive(), 4);
    export(
        new TimeRange(
            RandomLogs.BEGIN_NANOS - EpochNanos.of(DAY),
            RandomLogs.BEGIN_NANOS + 2 * EpochNanos.of(DAY)),
        12_000);
    assertThat(written).hasSizeGreaterThan(10);
    assertThat(events).isEqualTo(cells).isPositive();
    // Strays of a segment that meets two batches, too.
    assertThat(rows).hasSize((int) cells);
    assertThat(
            Answers.ofGroups(archive(), RandomLogs.EVERYTHING).values().stream()
                .mapToInt(List::size)
                .sum())
        .isEqualTo(cells);
  }

  /** Days without events are read together. The files are of single days. */
  @Test
  void filesOfDaysThatHaveNoEventsAnyMoreAreRemoved() throws Exception {
    TimeRange range = new TimeRange(midnight(1), midnight(15));
    writeDays(1, 2, 3, 4, 5, 6, 14);
    Path files = directory.resolve("files");
    export(directoryTarget(files), range, 1 << 20);
    assertThat(hfiles(files)).hasSize(7);
    List<Path> some;
    try (Stream<Path> logs = Files.walk(archive())) {
      some = logs.filter(each -> each.toString().matches(".*2020020[3-6].*")).toList();
    }
    for (Path log : some) {
      Files.write(log, new byte[0]);
    }
    export(directoryTarget(files), range, 1 << 20);
    assertThat(hfiles(files)).as("files of events that cannot be read").hasSize(7);
    for (Path log : some) {
      Files.delete(log);
    }
    export(directoryTarget(files), range, 1 << 20);
    assertThat(hfiles(files)).hasSize(3);
  }

  private static long midnight(int day) {
    return EpochNanos.of(Instant.parse("2020-02-%02dT00:00:00Z".formatted(day)));
  }

  /** Writes a log for each of some days, all with the same channel. */
  private void writeDays(int... days) throws IOException {
    RecordTable records = new RecordTable(List.of(new RecordEntry(7, "VA:1", ValueType.LONG, 1)));
    for (int day : days) {
      String stamp = "202002%02d090000".formatted(day);
      long noon = midnight(day) + EpochNanos.of(DAY) / 2;
      try (LogWriter log =
          LogWriter.create(
              archive(), new Group("VA", "CCG"), stamp, ByteOrder.LITTLE_ENDIAN, records)) {
        log.milestone(noon);
        log.number(0, noon, 0, 0, day);
        log.milestone(noon + 1);
      }
    }
  }

  private static BatchTarget directoryTarget(Path files) throws Exception {
    return new DirectoryTarget(
        new org.apache.hadoop.fs.Path(files.toUri()), new Configuration(), CellCompression.NONE);
  }

  private static List<Path> hfiles(Path files) throws IOException {
    try (Stream<Path> list = Files.list(files.resolve("e"))) {
      return list.toList();
    }
  }
}
