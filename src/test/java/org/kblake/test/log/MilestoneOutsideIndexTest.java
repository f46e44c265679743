package org.kblake.test.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
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
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;
import org.kblake.test.oracle.GridLines;

/**
 * A log's second milestone is not in its index, so the block has a segment that the index does not
 * list. If the block is damaged, the raw log replaces exactly this segment, and its events 10 to 19
 * must not be lost.
 */
final class MilestoneOutsideIndexTest {

  private static final Group GROUP = Group.parse("BM/DCCT");
  private static final Instant START = Instant.parse("2016-05-16T00:00:00Z");
  private static final long MINUTE_NANOS = 60_000_000_000L;

  @TempDir private Path directory;

  private Path root = Path.of("unset");
  private Path store = Path.of("unset");

  /**
   * Writes four segments of an hour with ten events each, five minutes apart, and damages the
   * block.
   */
  @BeforeEach
  void damageTheBlock() throws Exception {
    root = directory.resolve("archive");
    store = directory.resolve("store");
    long begin = START.getEpochSecond() * 1_000_000_000L;
    PairName name = PairName.at(GROUP.name(), begin, ArchiveSettings.defaults().zone());
    try (LogWriter writer =
        LogWriter.create(
            root,
            GROUP,
            name.stamp(),
            LogLayout.installed().get(0),
            ByteOrder.LITTLE_ENDIAN,
            new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1))))) {
      for (int hour = 0; hour < 4; hour++) {
        long milestone = begin + hour * 60L * MINUTE_NANOS;
        if (hour == 1) {
          writer.milestoneOutsideIndex(milestone);
        } else {
          writer.milestone(milestone);
        }
        for (int i = 0; i < 10 && hour < 2; i++) {
          writer.number(0, milestone + (5 * i + 1) * MINUTE_NANOS, 0, 0, 10 * hour + i);
        }
      }
    }
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    // The file has the magic number, the page of names, and then the page of times.
    CommandFixture.flip(CommandFixture.block(store).resolve("long.parquet"), 100);
  }

  private ArchiveReader open() throws IOException {
    return ArchiveReader.builder().archive(root).store(store).open();
  }

  private static Instant at(int minutes) {
    return START.plus(Duration.ofMinutes(minutes));
  }

  @Test
  void eventsAreRead() throws IOException {
    try (ArchiveReader reader = open()) {
      EventQuery query = EventQuery.of(ChannelSelection.all(GROUP)).between(at(80), at(120));
      assertThat(AnswerLines.read(reader, query).events())
          .extracting(line -> line.substring(line.lastIndexOf('\t') + 1))
          .isEqualTo(
              IntStream.range(14, 20).mapToObj(value -> AnswerLines.text((double) value)).toList());
    }
  }

  @Test
  void gridsContinue() throws IOException {
    try (ArchiveReader reader = open()) {
      GridQuery query =
          GridQuery.of(ChannelSelection.all(GROUP), at(85), at(205), Duration.ofHours(1));
      assertThat(GridLines.read(reader, query).values())
          .extracting(line -> line.substring(line.lastIndexOf(' ') + 1))
          .containsExactly("14", "19", "19");
    }
  }
}
