package org.kblake.test.read.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.Store;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.HeldValues;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.answer.LatestTime;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.fixture.volume.ReadWatch;
import org.kblake.test.oracle.AnswerLines;
import org.kblake.test.oracle.GridLines;
import org.kblake.test.oracle.HeldLines;

/** A reader lists blocks, and they are merged while it opens and reads them. None is damaged. */
final class MergedBeforeOpenedTest {

  private static final int EVENTS = 3;

  /** The begin of the first pair. The questions are about the second 0. */
  private static final long FIRST_SECONDS = -TimeUnit.DAYS.toSeconds(6);

  private static final long SECOND_SECONDS = -TimeUnit.DAYS.toSeconds(3);

  /** More than the reads of the store that an answer makes. */
  private static final int READS = 60;

  @TempDir private Path directory;

  /** Merges the blocks before a certain read of a file. */
  private static final class Merge implements ReadWatch {
    private final FollowServiceFixture fixture;
    private final String file;
    private final AtomicInteger before;
    private final AtomicBoolean done = new AtomicBoolean();

    /**
     * @param file the end of the file's name
     * @param before the number of its reads before the merge
     */
    Merge(FollowServiceFixture fixture, String file, int before) {
      this.fixture = fixture;
      this.file = file;
      this.before = new AtomicInteger(before);
    }

    @Override
    public void read(Path real) throws IOException {
      if (real.toString().endsWith(file)
          && before.getAndDecrement() <= 0
          && done.compareAndSet(false, true)) {
        try (Store store = TestStores.storeForWriting(fixture.archive, fixture.storePath)) {
          TestStores.compact(
              fixture.archive, store, store.blocks(FollowServiceFixture.GROUP, problem -> {}));
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }

    @Override
    public FileChannel channel(Path real, FileChannel disk) {
      return disk;
    }

    @Override
    public FileStore store(FileStore disk) {
      return disk;
    }
  }

  /** Questions about both blocks. */
  enum Question {
    EVENTS,
    LAST_EVENTS,
    HELD,
    GRID,
    LATEST_EVENT,

    /** The channels of a time before the group's first pair. */
    NEAREST_TABLE
  }

  /** An answer, with the reasons why something is missing. */
  private record Answer(List<String> lines, List<String> missing, List<String> notes) {

    static Answer of(List<String> lines, CoverageReport coverage) {
      return new Answer(
          lines,
          coverage.missing().stream().map(CoverageSpan::toString).toList(),
          coverage.notes());
    }

    /** Returns whether nothing is missing, and the lines are as expected. */
    boolean isWhole(List<String> expected) {
      return lines.equals(expected)
          && missing.isEmpty()
          && notes.stream().noneMatch(note -> note.contains("damaged") || note.contains("no file"));
    }
  }

  static Stream<Arguments> questions() {
    return Stream.of(Question.values())
        .flatMap(
            question ->
                Stream.of(Source.AUTO, Source.STORE).map(source -> Arguments.of(question, source)));
  }

  @ParameterizedTest
  @MethodSource("questions")
  void mergedBlockIsRead(Question question, Source source) throws Exception {
    FollowServiceFixture fixture = twoBlocks(directory);
    List<String> expected = rawLines(fixture, question);
    assertThat(isReadWhole(fixture, question, source, expected, new Merge(fixture, "block.kb", 0)))
        .isTrue();
  }

  /** No log stands for the blocks, so a plan that has a removed block has to be made again. */
  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 7 s of a processor")
  @ParameterizedTest
  @MethodSource("questions")
  void blocksMayBeMergedAtAnyReadIfTheirLogIsMissing(Question question, Source source)
      throws Exception {
    FollowServiceFixture fixture = twoBlocks(directory);
    List<String> expected = rawLines(fixture, question);
    for (Pair pair : fixture.archive.pairs(FollowServiceFixture.GROUP)) {
      Files.delete(pair.logPath());
    }
    Path unmerged = Files.move(fixture.storePath, directory.resolve("unmerged"));
    int read = 0;
    for (boolean merged = true; merged; read++) {
      TestStores.copy(unmerged, fixture.storePath);
      merged = isReadWhole(fixture, question, source, expected, new Merge(fixture, "", read));
      Files.move(fixture.storePath, directory.resolve("read" + read));
    }
    assertThat(read).isBetween(10, READS);
  }

  /**
   * Makes two blocks, of a pair each. Only the first pair has events of the second channel. The
   * second pair begins days before the questions, so that a plan of their times does not open the
   * first pair.
   */
  private static FollowServiceFixture twoBlocks(Path place) throws Exception {
    FollowServiceFixture fixture = new FollowServiceFixture(place);
    try (LogWriter writer = fixture.pair(FollowServiceFixture.GROUP, FIRST_SECONDS)) {
      fixture.segment(writer, FIRST_SECONDS, EVENTS);
    }
    long second = nanos(fixture, SECOND_SECONDS);
    try (LogWriter writer = fixture.pair(FollowServiceFixture.GROUP, SECOND_SECONDS)) {
      writer.milestone(second);
      writer.number(0, second, 0, 0, Double.doubleToRawLongBits(0.5));
    }
    TestStores.closePairs(fixture.root);
    long first = nanos(fixture, FIRST_SECONDS);
    TestStores.backfill(fixture.archive, fixture.storePath, new TimeRange(first, first + 1));
    TestStores.backfill(fixture.archive, fixture.storePath);
    assertThat(fixture.blocks(FollowServiceFixture.GROUP)).hasSize(2);
    return fixture;
  }

  private static long nanos(FollowServiceFixture fixture, long seconds) {
    return TimeUnit.SECONDS.toNanos(fixture.begin.getEpochSecond() + seconds);
  }

  /** Asserts that an answer is whole. Returns whether the blocks were merged meanwhile. */
  private static boolean isReadWhole(
      FollowServiceFixture fixture,
      Question question,
      Source source,
      List<String> expected,
      Merge merge)
      throws IOException {
    Path seen = new GuardedProvider(fixture.root.resolve("nothing"), merge).path(fixture.storePath);
    Answer answer = ask(fixture, seen, question, source);
    assertThat(answer)
        .as("%s, merged %s at %s", source, merge.done, merge.before)
        .matches(each -> each.isWhole(expected), "is " + expected);
    assertThat(fixture.blocks(FollowServiceFixture.GROUP)).hasSize(merge.done.get() ? 1 : 2);
    return merge.done.get();
  }

  private static List<String> rawLines(FollowServiceFixture fixture, Question question)
      throws IOException {
    List<String> lines = ask(fixture, null, question, Source.RAW).lines();
    assertThat(lines).noneMatch(line -> line.contains("unknown"));
    return lines;
  }

  private static Answer ask(
      FollowServiceFixture fixture, @Nullable Path store, Question question, Source source)
      throws IOException {
    ArchiveReader.Builder builder =
        ArchiveReader.builder().archive(fixture.root).settings(fixture.archive.settings());
    if (store != null) {
      builder.store(store);
    }
    try (ArchiveReader reader = builder.open()) {
      return ask(reader, question, fixture.begin, source);
    }
  }

  private static Answer ask(ArchiveReader reader, Question question, Instant begin, Source source)
      throws IOException {
    ChannelSelection channels = ChannelSelection.all(FollowServiceFixture.GROUP);
    EventQuery events =
        EventQuery.of(channels).between(TimeRange.ALL).from(source).allowIncomplete();
    return switch (question) {
      case EVENTS -> answer(reader, events);
      case LAST_EVENTS -> answer(reader, events.last(1));
      case HELD -> {
        HeldValues held = reader.held(HeldQuery.of(channels, begin).from(source).allowIncomplete());
        yield Answer.of(HeldLines.of(held), held.coverage());
      }
      case GRID -> {
        GridLines.Lines grid =
            GridLines.read(
                reader,
                GridQuery.of(channels, begin, begin.plusSeconds(2), Duration.ofSeconds(1))
                    .from(source)
                    .allowIncomplete());
        yield Answer.of(grid.values(), grid.coverage());
      }
      case LATEST_EVENT -> {
        LatestTime latest = reader.findLatest(FollowServiceFixture.GROUP);
        yield new Answer(
            List.of(latest.nanos().toString()),
            Stream.ofNullable(latest.unread()).toList(),
            List.of());
      }
      case NEAREST_TABLE -> {
        Instant before = begin.minus(Duration.ofDays(400));
        FoundChannels found = reader.find(events.between(before, before.plus(Duration.ofHours(1))));
        yield new Answer(
            found.channels().stream().map(ChannelInfo::toString).toList(),
            found.unread().stream().map(CoverageSpan::toString).toList(),
            List.of());
      }
    };
  }

  private static Answer answer(ArchiveReader reader, EventQuery query) throws IOException {
    AnswerLines.Lines lines = AnswerLines.read(reader, query);
    return Answer.of(lines.events(), lines.coverage());
  }
}
