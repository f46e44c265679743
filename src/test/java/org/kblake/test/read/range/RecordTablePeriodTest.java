package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;

/**
 * A pattern matches the channels that are recorded in the period, with readable logs and with
 * blocks alone. B is recorded in the first of two pairs, which takes ten minutes, and not in the
 * second.
 */
final class RecordTablePeriodTest {

  private static final Group GROUP = Group.parse("BM/DCCT");
  private static final Instant START = Instant.parse("2016-05-16T00:00:00Z");
  private static final RecordEntry A = new RecordEntry(0, "A", ValueType.LONG, 1);
  private static final RecordEntry B = new RecordEntry(1, "B", ValueType.LONG, 1);
  private static final int MINUTES = 10;

  @TempDir private Path directory;

  private Path root = Path.of("unset");
  private Path store = Path.of("unset");
  private Path first = Path.of("unset");

  @BeforeEach
  void nameDirectories() {
    root = directory.resolve("archive");
    store = directory.resolve("store");
  }

  @Test
  void pairInBlocksHasThePeriodOfItsLog() throws Exception {
    writePairs(false);
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    assertThat(channels(MINUTES + 1, Source.RAW)).containsExactly("A", "B");
    assertThat(channels(60, Source.RAW)).containsExactly("A");
    for (int minute = 0; minute <= 60; minute++) {
      assertAsFromLogs(minute);
    }
  }

  /** The index of such a pair excludes no segment, so its record table is valid for a day. */
  @Test
  void pairInBlocksWhoseClockWasSetBackHasThePeriodOfItsLog() throws Exception {
    writePairs(true);
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    assertThat(channels(200, Source.RAW)).containsExactly("A", "B");
    assertAsFromLogs(200);
  }

  @Test
  void blockOfASpanHasTheMilestoneInterval() throws Exception {
    writePairs(false);
    long begin = nanos(START);
    TestStores.backfill(
        Archive.open(root, ArchiveSettings.defaults()), store, new TimeRange(begin, begin + 1));
    assertThat(channels(MINUTES + 1, Source.AUTO)).containsExactly("A", "B");
    assertThat(channels(60, Source.AUTO)).containsExactly("A");
    Files.delete(first);
    assertThat(channels(MINUTES + 1, Source.AUTO)).containsExactly("A", "B");
    assertThat(channels(60, Source.AUTO)).containsExactly("A");
  }

  private void assertAsFromLogs(int minute) throws IOException {
    List<String> expected = channels(minute, Source.RAW);
    assertThat(channels(minute, Source.AUTO)).as("minute %s", minute).isEqualTo(expected);
    assertThat(channels(minute, Source.STORE)).as("blocks, %s", minute).isEqualTo(expected);
    Path hidden = directory.resolve("hidden");
    Files.move(first, hidden);
    assertThat(channels(minute, Source.AUTO)).as("without log, %s", minute).isEqualTo(expected);
    Files.move(hidden, first);
  }

  private List<String> channels(int minute, Source source) throws IOException {
    Instant from = START.plus(Duration.ofMinutes(minute));
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open()) {
      EventQuery query =
          EventQuery.of(ChannelSelection.all(GROUP))
              .between(from, from.plusSeconds(30))
              .from(source);
      return reader.channels(query).stream().map(info -> info.channel().name()).toList();
    }
  }

  private void writePairs(boolean setBack) throws IOException {
    first = write(START, MINUTES, setBack, List.of(A, B));
    write(START.plus(Duration.ofMinutes(MINUTES)), 300, false, List.of(A));
    TestStores.closePairs(root);
  }

  private Path write(Instant begin, int minutes, boolean setBack, List<RecordEntry> records)
      throws IOException {
    PairName name = PairName.at(GROUP.name(), nanos(begin), ArchiveSettings.defaults().zone());
    try (LogWriter writer =
        LogWriter.create(
            root,
            GROUP,
            name.stamp(),
            LogLayout.installed().get(0),
            ByteOrder.LITTLE_ENDIAN,
            new RecordTable(records))) {
      for (int minute = 0; minute < minutes; minute++) {
        boolean isBefore = setBack && minute == minutes / 2;
        long nanos = nanos(begin.plus(Duration.ofMinutes(isBefore ? minute - 2 : minute)));
        writer.milestone(nanos);
        for (int i = 0; i < records.size(); i++) {
          writer.number(i, nanos + 1, 0, 0, minute);
        }
      }
    }
    try (var files = Files.walk(root)) {
      return files.filter(file -> file.endsWith(name.logFile())).findFirst().orElseThrow();
    }
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000L;
  }
}
