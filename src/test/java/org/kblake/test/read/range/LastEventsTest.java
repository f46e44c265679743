package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
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
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/** Last events of channels that only a part of the range's record tables has. */
final class LastEventsTest {

  private static final long HOUR_NANOS = 3_600_000_000_000L;

  /** The beginning of the second pairs. The first ones begin two days before. */
  private static final long CHANGE_NANOS = 1_463_356_800_000_000_000L;

  private static final long BEGIN_NANOS = CHANGE_NANOS - 48 * HOUR_NANOS;
  private static final long END_NANOS = CHANGE_NANOS + 48 * HOUR_NANOS;
  private static final Group DCCT = new Group("BM", "DCCT");
  private static final Group CCG = new Group("VA", "CCG");

  @TempDir Path directory;

  private Path root = Path.of("");

  /**
   * Writes two groups. BM/DCCT records REMOVED and KEPT, then KEPT alone. MOVED moves from BM/DCCT
   * to VA/CCG.
   */
  @BeforeEach
  void writeArchive() throws IOException {
    root = directory.resolve("archive");
    writePair(DCCT, BEGIN_NANOS, "REMOVED", "KEPT", "MOVED");
    writePair(DCCT, CHANGE_NANOS, "KEPT");
    writePair(CCG, CHANGE_NANOS, "MOVED");
    TestStores.closePairs(root);
  }

  /** Writes two events of each channel, one and two hours behind the pair's beginning. */
  private void writePair(Group group, long beginNanos, String... names) throws IOException {
    RecordTable records =
        new RecordTable(
            Stream.of(names)
                .map(
                    name ->
                        new RecordEntry(List.of(names).indexOf(name), name, ValueType.DOUBLE, 1))
                .toList());
    String stamp = PairName.at(group.name(), beginNanos, ArchiveSettings.defaults().zone()).stamp();
    try (LogWriter writer = LogWriter.create(root, group, stamp, ByteOrder.BIG_ENDIAN, records)) {
      for (int hour = 0; hour < 3; hour++) {
        writer.milestone(beginNanos + hour * HOUR_NANOS);
        for (int i = 0; i < names.length; i++) {
          writer.number(i, beginNanos + hour * HOUR_NANOS + 1, 0, 0, hour);
        }
      }
    }
  }

  @Test
  void aGlobMatchesTheChannelsOfTheWholeRange() throws Exception {
    EventQuery query = lastOf(ChannelSelection.all(DCCT), BEGIN_NANOS);
    assertAnswered(query, "REMOVED", "MOVED", "KEPT");
  }

  @Test
  void aNameMatchesTheChannelInEveryGroupOfTheRange() throws Exception {
    assertAnswered(lastOf(ChannelSelection.names("MOVED"), BEGIN_NANOS), "MOVED", "MOVED");
  }

  /** Otherwise each pair since the beginning of the archive would be opened. */
  @Test
  void withoutABeginningTheChannelsAtTheEndAreMatched() throws Exception {
    assertAnswered(lastOf(ChannelSelection.all(DCCT), Long.MIN_VALUE), "KEPT");
    assertAnswered(lastOf(ChannelSelection.names("REMOVED"), Long.MIN_VALUE), "REMOVED");
  }

  private static EventQuery lastOf(ChannelSelection channels, long fromNanos) {
    return EventQuery.of(channels).between(new TimeRange(fromNanos, END_NANOS)).last(1);
  }

  /** Asserts the same answer from the raw log and from columns. */
  private void assertAnswered(EventQuery query, String... channels) throws Exception {
    Path store = directory.resolve("store");
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    for (ArchiveReader.Builder builder :
        List.of(ArchiveReader.builder(), ArchiveReader.builder().store(store))) {
      try (ArchiveReader reader = builder.archive(root).open()) {
        assertThat(AnswerLines.read(reader, query).events())
            .extracting(line -> line.split("\t", -1)[2])
            .containsExactly(channels);
      }
    }
  }
}
