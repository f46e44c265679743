package org.kblake.test.read.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
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
 * A block has several pairs, and a channel's chunk extends over all of them. A read of one pair's
 * part decodes no page of another pair. Otherwise a read of a year with many pairs would decode it
 * once for each pair. Here the second pair's part is damaged and the first pair's log is missing,
 * so the first pair's events are found only without the second's pages.
 */
final class SharedBlockTest {

  private static final Group GROUP = Group.parse("BM/DCCT");
  private static final String CHANNEL = "BMHDCCT:CURRENT";
  private static final Instant START = Instant.parse("2016-05-16T00:00:00Z");
  private static final long SECOND_NANOS = 1_000_000_000L;

  /**
   * The number of events of a pair. A page has 4,096 rows, so only the third page has rows of both
   * pairs.
   */
  private static final int EVENTS = 10_000;

  private static final Duration PAIR = Duration.ofSeconds(EVENTS);

  @TempDir private Path directory;

  private Path root = Path.of("unset");
  private Path store = Path.of("unset");

  @BeforeEach
  void damageTheSecondPair() throws Exception {
    root = directory.resolve("archive");
    store = directory.resolve("store");
    Path first = write(START);
    write(START.plus(PAIR));
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    Path file = CommandFixture.block(store).resolve("long.parquet");
    byte[] bytes = Files.readAllBytes(file);
    // With random fractions of a second, times take nearly all of the file.
    bytes[bytes.length * 3 / 4] ^= 1;
    Files.write(file, bytes);
    Files.delete(first);
  }

  private Path write(Instant begin) throws IOException {
    long beginNanos = begin.getEpochSecond() * SECOND_NANOS;
    PairName name = PairName.at(GROUP.name(), beginNanos, ArchiveSettings.defaults().zone());
    Random random = new Random(beginNanos);
    try (LogWriter writer =
        LogWriter.create(
            root,
            GROUP,
            name.stamp(),
            LogLayout.installed().get(0),
            ByteOrder.LITTLE_ENDIAN,
            new RecordTable(List.of(new RecordEntry(0, CHANNEL, ValueType.LONG, 1))))) {
      for (int i = 0; i < EVENTS; i++) {
        long nanos = beginNanos + i * SECOND_NANOS;
        if (i % 1000 == 0) {
          writer.milestone(nanos);
        }
        writer.number(0, nanos + random.nextInt((int) SECOND_NANOS), 0, 0, 7);
      }
    }
    try (var files = Files.walk(root)) {
      return files.filter(file -> file.endsWith(name.logFile())).findFirst().orElseThrow();
    }
  }

  private ArchiveReader open() throws IOException {
    return ArchiveReader.builder().archive(root).store(store).open();
  }

  @Test
  void eventsOfTheOtherPairAreRead() throws IOException {
    try (ArchiveReader reader = open()) {
      AnswerLines.Lines lines =
          AnswerLines.read(
              reader,
              EventQuery.of(ChannelSelection.all(GROUP))
                  .between(START, START.plus(PAIR).plus(PAIR)));
      assertThat(lines.events()).hasSize(2 * EVENTS);
    }
  }

  @Test
  void gridsOverBothPairsAreComplete() throws IOException {
    try (ArchiveReader reader = open()) {
      GridLines.Lines lines =
          GridLines.read(
              reader,
              GridQuery.of(
                  ChannelSelection.all(GROUP),
                  START.plusSeconds(10),
                  START.plus(PAIR).plus(PAIR),
                  Duration.ofSeconds(10)));
      assertThat(lines.values()).hasSize(EVENTS / 5).noneMatch(line -> line.endsWith("unknown"));
    }
  }
}
