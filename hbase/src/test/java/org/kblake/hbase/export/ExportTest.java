package org.kblake.hbase.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.hbase.cell.CellDigest;
import org.kblake.hbase.cell.StretchCells;
import org.kblake.hbase.destination.Stretch;
import org.kblake.hbase.destination.StretchTarget;
import org.kblake.hbase.fixture.Answers;
import org.kblake.hbase.fixture.RandomLogs;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.Source;

/** The stretches of an export, and what is told of its progress. */
final class ExportTest {

  /** More than thirty years, of which the archive has a day. */
  private static final TimeRange YEARS =
      new TimeRange(
          EpochNanos.of(Instant.parse("1990-01-01T00:00:00Z")),
          EpochNanos.of(Instant.parse("2025-01-01T00:00:00Z")));

  private static final Duration DAY = Duration.ofDays(1);

  @TempDir private Path directory;

  private final List<Stretch> written = new ArrayList<>();
  private final Set<String> rows = new TreeSet<>();
  private long events;
  private long cells;
  private int done;

  @BeforeEach
  void write() throws Exception {
    RandomLogs.write(directory, 4);
  }

  private final StretchTarget target =
      new StretchTarget() {
        @Override
        public boolean has(Stretch stretch, CellDigest digest) {
          return digest.cells() == 0;
        }

        @Override
        public void write(Stretch stretch, StretchCells from, CellDigest digest)
            throws IOException, InterruptedException {
          written.add(stretch);
          from.forEach(
              (row, rowBytes, value, valueAt, valueBytes) ->
                  rows.add(Bytes.toStringBinary(row, 0, rowBytes)));
        }
      };

  private void export(TimeRange range, long memoryBytes) throws Exception {
    try (ArchiveReader archive = ArchiveReader.builder().archive(directory).open()) {
      ExportQuestion question =
          ExportQuestion.of(archive, ChannelSelection.glob("*"), range, Source.AUTO);
      new Export(archive, question, DAY, memoryBytes)
          .run(
              target,
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
    export(YEARS, 1 << 20);
    assertThat(rows)
        .hasSize(
            Answers.ofGroups(directory, RandomLogs.EVERYTHING).values().stream()
                .mapToInt(List::size)
                .sum());
    assertThat(written)
        .isNotEmpty()
        .allMatch(each -> each.range().toNanos() - each.range().fromNanos() == EpochNanos.of(DAY));
    assertThat(done).isLessThan(200);
  }

  /** A stretch without room is read again in parts, and does not count twice. */
  @Test
  void progressCountsEachEventOnce() throws Exception {
    export(
        new TimeRange(
            RandomLogs.BEGIN_NANOS - EpochNanos.of(DAY),
            RandomLogs.BEGIN_NANOS + 2 * EpochNanos.of(DAY)),
        12_000);
    assertThat(written).hasSizeGreaterThan(20);
    assertThat(events).isEqualTo(cells).isPositive();
  }
}
