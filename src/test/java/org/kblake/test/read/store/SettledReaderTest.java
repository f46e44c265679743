package org.kblake.test.read.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
import org.kblake.query.ReaderClock;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/**
 * A reader keeps the contents of directories that have not changed for five seconds. After any
 * later change, its next answer is that of a new reader.
 */
final class SettledReaderTest {

  private static final Group GROUP = Group.parse("BM/DCCT");
  private static final Instant START = Instant.parse("2016-05-16T00:00:00Z");
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final int EVENTS = 100;

  @TempDir private Path directory;

  private Path root = Path.of("unset");
  private Path store = Path.of("unset");

  /** The clock of the readers; null for the real one. */
  private @Nullable Instant settledAt;

  @BeforeEach
  void write() throws Exception {
    root = directory.resolve("archive");
    store = directory.resolve("store");
    writeTwoDays(root, 1, store);
  }

  private static void writeTwoDays(Path root, int factor, Path store) throws Exception {
    Files.createDirectories(root);
    writePair(root, 0, factor);
    writePair(root, 1, factor + 1);
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
  }

  private ArchiveReader open() throws IOException {
    return ReaderClock.set(ArchiveReader.builder().archive(root).store(store), this::now).open();
  }

  private Instant now() {
    Instant settled = settledAt;
    return settled == null ? Instant.now() : settled;
  }

  /**
   * Advances the clock of readers by five seconds. The reader then keeps the directories, until one
   * changes.
   */
  private void settle(ArchiveReader kept) throws Exception {
    settledAt = Instant.now().plusSeconds(5);
    assertAnswersAlike(kept);
    assertAnswersAlike(kept);
  }

  /** Writes a pair of one day, with a channel that counts. */
  private static void writePair(Path root, int day, int factor) throws IOException {
    long beginNanos = START.plus(Duration.ofDays(day)).getEpochSecond() * SECOND_NANOS;
    PairName pair = PairName.at(GROUP.name(), beginNanos, ArchiveSettings.defaults().zone());
    try (LogWriter writer =
        LogWriter.create(
            root,
            GROUP,
            pair.stamp(),
            LogLayout.installed().get(0),
            ByteOrder.LITTLE_ENDIAN,
            // A pair is identified by its index, which contains the records, too.
            new RecordTable(
                List.of(
                    new RecordEntry(0, "BMHDCCT:CURRENT", ValueType.LONG, 1),
                    new RecordEntry(1, "BMHDCCT:SILENT" + factor, ValueType.LONG, 1))))) {
      writer.milestone(beginNanos);
      for (int i = 1; i <= EVENTS; i++) {
        writer.number(0, beginNanos + i * SECOND_NANOS, 0, 0, (long) factor * i);
      }
    }
  }

  /** Returns the events, or the reason of a failure. */
  private static List<String> answer(ArchiveReader reader, Source source) throws IOException {
    try {
      return events(reader, source);
    } catch (UnknownChannelException | IncompleteAnswerException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  private static List<String> events(ArchiveReader reader, Source source) throws IOException {
    EventQuery query =
        EventQuery.of(ChannelSelection.all(GROUP))
            .between(START, START.plus(Duration.ofDays(30)))
            .from(source);
    return AnswerLines.read(reader, query).events();
  }

  /** Asserts that the reader and a new one give the same answers. Returns the number of events. */
  private int assertAnswersAlike(ArchiveReader kept) throws IOException {
    try (ArchiveReader fresh = open()) {
      List<String> expected = events(fresh, Source.RAW);
      for (Source source : List.of(Source.AUTO, Source.RAW, Source.STORE, Source.AUTO)) {
        assertThat(answer(kept, source)).as("%s", source).isEqualTo(answer(fresh, source));
      }
      assertThat(events(kept, Source.AUTO)).isEqualTo(expected);
      return expected.size();
    }
  }

  @Test
  void blockThatIsRemovedAndReturnsIsNoticed() throws Exception {
    try (ArchiveReader kept = open()) {
      settle(kept);
      Path block = CommandFixture.block(store);
      assertThat(events(kept, Source.STORE)).hasSize(2 * EVENTS);
      Path elsewhere = directory.resolve("evicted");
      Files.move(block, elsewhere);
      assertAnswersAlike(kept);
      assertThat(answer(kept, Source.STORE)).hasSize(1);
      settle(kept);
      Files.move(elsewhere, block);
      assertAnswersAlike(kept);
      assertThat(events(kept, Source.STORE)).hasSize(2 * EVENTS);
    }
  }

  /** The block was evicted, and was made again after the pair was replaced. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void blockOfOtherPairsWithTheSameNameIsNoticed(boolean settled) throws Exception {
    Path block = CommandFixture.block(store);
    writeTwoDays(directory.resolve("other"), 5, directory.resolve("other-store"));
    Path other = CommandFixture.block(directory.resolve("other-store"));
    assertThat(other.getFileName()).isEqualTo(block.getFileName());
    try (ArchiveReader kept = open()) {
      if (settled) {
        settle(kept);
      }
      assertThat(events(kept, Source.STORE))
          .anyMatch(line -> line.endsWith("\t" + AnswerLines.text(1.0)));
      Files.move(block, directory.resolve("evicted"));
      Files.move(other, block);
      assertAnswersAlike(kept);
      assertThat(events(kept, Source.STORE))
          .hasSize(2 * EVENTS)
          .noneMatch(line -> line.endsWith("\t" + AnswerLines.text(1.0)));
    }
  }

  @Test
  void newAndChangedPairsAreNoticed() throws Exception {
    try (ArchiveReader kept = open()) {
      settle(kept);
      assertThat(assertAnswersAlike(kept)).isEqualTo(2 * EVENTS);
      writePair(root, 2, 3);
      TestStores.closePairs(root);
      assertThat(assertAnswersAlike(kept)).isEqualTo(3 * EVENTS);
      settle(kept);
      // The names are the same, so the directory does not show the change.
      Path other = Files.createDirectories(directory.resolve("other"));
      writePair(other, 1, 7);
      try (Stream<Path> files = Files.walk(other)) {
        for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
          Files.write(root.resolve(other.relativize(file).toString()), Files.readAllBytes(file));
        }
      }
      assertThat(assertAnswersAlike(kept)).isEqualTo(3 * EVENTS);
      assertThat(events(kept, Source.AUTO))
          .anyMatch(line -> line.endsWith("\t" + AnswerLines.text(700.0)));
    }
  }
}
