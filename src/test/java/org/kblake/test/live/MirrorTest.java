package org.kblake.test.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.live.FollowServiceFixture.GROUP;
import static org.kblake.test.live.FollowServiceFixture.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.write.LogWriter;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.FullDisk;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.fixture.volume.UnforcedFiles;
import org.kblake.test.oracle.AnswerLines;

/** Tests the statements of docs/design/mirror.md about copies of growing logs. */
final class MirrorTest {

  private static final Duration NEVER = Duration.ofDays(1);
  private static final long MOST_READ_NANOS = TimeUnit.SECONDS.toNanos(20);

  @TempDir Path directory;

  private FollowServiceFixture live;
  private Path mirrorPath;

  @BeforeEach
  void makeArchive() throws IOException {
    live = new FollowServiceFixture(directory);
    mirrorPath = directory.resolve("mirror");
  }

  @AfterEach
  void stop() throws Exception {
    live.stop();
  }

  /**
   * Returns settings without sealing and comparison, so that all reads of logs are for the mirror.
   */
  private FollowSettings onlyMirror() {
    return settings(NEVER, NEVER, CacheSettings.EVERYTHING);
  }

  private FollowSettings settings(Duration sealAge, Duration recheck, CacheSettings cache) {
    FollowSettings eager = FollowServiceFixture.eager(cache);
    return new FollowSettings(
        List.of(),
        eager.poll(),
        sealAge,
        sealAge.isZero() ? 1 : Long.MAX_VALUE,
        0,
        recheck,
        1,
        32 << 20,
        0,
        Duration.ZERO,
        eager.profile(),
        null,
        cache,
        mirrorPath);
  }

  /** Opens an archive whose pairs do not close during a test. */
  private Archive open(TailRule tail, Path root) throws IOException {
    return Archive.open(
        root,
        ArchiveSettings.defaults()
            .withTail(tail)
            .withSettleNanos(TimeUnit.MILLISECONDS.toNanos(100)));
  }

  private FollowService start(Archive seen, FollowSettings settings) throws IOException {
    return live.start(seen, settings, new UnforcedFiles(), Clock.systemUTC());
  }

  /**
   * Writes a segment whose last byte is not zero, because zeros at the end of a log may be
   * unwritten bytes. The mirror never sees the log without its last event, if the log is small.
   */
  private void segment(LogWriter writer, long seconds, int events) throws IOException {
    live.write(writer, seconds, events);
    writer.number(0, live.nanos(seconds + 1), 0, 0, Double.doubleToRawLongBits(1.5));
    writer.flush();
  }

  private @Nullable LogCopy copy(Pair pair) {
    Mirror mirror = Mirror.of(live.storePath);
    return mirror == null ? null : mirror.copy(pair.group(), pair.stamp());
  }

  private LogCopy presentCopy(Pair pair) {
    return Objects.requireNonNull(copy(pair));
  }

  private long fromOffset(Pair pair) {
    LogCopy copy = copy(pair);
    return copy == null ? 0 : copy.fromOffset();
  }

  private long copied(Pair pair) {
    LogCopy copy = copy(pair);
    return copy == null ? 0 : copy.endOffset();
  }

  private void awaitCopied(Pair pair) throws Exception {
    await("the copy", () -> copied(pair) == Files.size(pair.logPath()));
  }

  private Pair pair() throws IOException {
    List<Pair> pairs = live.archive.pairs(GROUP);
    return pairs.get(pairs.size() - 1);
  }

  private AnswerLines.Lines answer(Path root, Source source) throws Exception {
    return answer(root, GROUP, source);
  }

  private AnswerLines.Lines answer(Path root, Group group, Source source) throws Exception {
    return FollowServiceFixture.awaitAnswer(() -> answerOnce(root, group, source));
  }

  private AnswerLines.Lines answerOnce(Path root, Group group, Source source) throws IOException {
    try (ArchiveReader reader =
        ArchiveReader.builder().archive(root).store(live.storePath).open()) {
      return AnswerLines.read(
          reader,
          EventQuery.of(ChannelSelection.all(group))
              .between(TimeRange.ALL)
              .withStrays()
              .from(source)
              .allowIncomplete());
    }
  }

  /**
   * Returns the bytes of a log below an offset, as readers get them from the mirror. None is
   * missing.
   */
  private static byte[] bytes(LogCopy copy, long toOffset) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) toOffset);
    try (LogCopy.Reader reader = copy.open()) {
      assertThat(reader.read(bytes, 0)).isEqualTo((int) toOffset);
    }
    return bytes.array();
  }

  /** Each byte is read when it appears, and again after a time to settle. */
  @ParameterizedTest
  @EnumSource(
      value = TailRule.class,
      names = {"FINAL", "PROVISIONAL"})
  void readsEachByteTwiceAndNothingElse(TailRule tail) throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      segment(writer, 0, 1000);
      FollowService following = start(open(tail, live.root), onlyMirror());
      awaitCopied(pair());
      for (int second = 60; second < 240; second += 60) {
        segment(writer, second, 1000);
        awaitCopied(pair());
      }
      assertThat(following.counters().get(Count.MIRROR_READ_BYTES))
          .isEqualTo(2 * Files.size(pair().logPath()));
      assertThat(following.counters().get(Count.MIRRORED_BYTES))
          .isEqualTo(Files.size(pair().logPath()));
    }
    assertThat(bytes(presentCopy(pair()), copied(pair())))
        .isEqualTo(Files.readAllBytes(pair().logPath()));
    assertThat(live.problems).isEmpty();
  }

  @Test
  void zerosThatMayBeAStalePageAreNotVerified() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      segment(writer, 0, 1000);
      byte[] whole = Files.readAllBytes(pair().logPath());
      int hole = 8192;
      // The size is visible before the bytes, and a page before the page in front of it.
      try (RandomAccessFile log = new RandomAccessFile(pair().logPath().toFile(), "rw")) {
        log.seek(hole);
        log.write(new byte[4096]);
        log.seek(whole.length);
        log.write(new byte[500]);
        FollowService following = start(open(TailRule.PROVISIONAL, live.root), onlyMirror());
        await(
            "the first reading",
            () -> following.counters().get(Count.MIRROR_READ_BYTES) >= whole.length + 500);
        assertThat(copied(pair())).isZero();
        log.seek(hole);
        log.write(whole, hole, 4096);
        await("the data", () -> copied(pair()) == whole.length);
        assertThat(bytes(presentCopy(pair()), whole.length)).isEqualTo(whole);
        log.setLength(whole.length);
      }
      segment(writer, 60, 10);
      awaitCopied(pair());
    }
  }

  /** A writer may reserve space before it writes, on a local disk, too. */
  @Test
  void zerosThatAreFilledInLaterAreNotVerified() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      segment(writer, 0, 1000);
      long written = Files.size(pair().logPath());
      try (RandomAccessFile log = new RandomAccessFile(pair().logPath().toFile(), "rw")) {
        log.setLength(written + 5_000);
      }
      start(open(TailRule.FINAL, live.root), onlyMirror());
      await("the data", () -> copied(pair()) >= written);
      segment(writer, 60, 1000);
      awaitCopied(pair());
    }
    try (LogWriter next = live.pair(GROUP, 120)) {
      segment(next, 120, 10);
      List<String> all = answer(live.root, Source.RAW).events();
      assertThat(all).hasSize(2 * 1002 + 12);
      assertThat(answer(live.root, Source.AUTO).events()).isEqualTo(all);
    }
  }

  /** A panel opens its reader before kblake run begins. */
  @Test
  void aReaderFindsAMirrorThatBeginsLater() throws Exception {
    GuardedProvider volume = new GuardedProvider(live.root);
    TestStores.storeForWriting(live.archive, live.storePath).close();
    try (LogWriter writer = live.pair(GROUP, 0);
        ArchiveReader reader =
            ArchiveReader.builder().archive(volume.path(live.root)).store(live.storePath).open()) {
      segment(writer, 0, 1000);
      EventQuery query = EventQuery.of(ChannelSelection.all(GROUP)).allowIncomplete();
      List<String> all = AnswerLines.read(reader, query).events();
      assertThat(all).hasSize(1002);
      start(open(TailRule.FINAL, live.root), onlyMirror());
      awaitCopied(pair());
      live.stop();
      await("an answer of the mirror", () -> answersWhileStalled(reader, query, volume, all));
    }
  }

  /**
   * Returns whether there is an answer. Without a mirror, a reader waits until the volume answers.
   */
  private boolean answersWhileStalled(
      ArchiveReader reader, EventQuery query, GuardedProvider volume, List<String> expected)
      throws Exception {
    ExecutorService asker = Executors.newSingleThreadExecutor();
    volume.stall(live.root);
    try {
      Future<List<String>> answer = asker.submit(() -> AnswerLines.read(reader, query).events());
      assertThat(answer.get(2, TimeUnit.SECONDS)).isEqualTo(expected);
      return true;
    } catch (TimeoutException e) {
      return false;
    } finally {
      volume.answer();
      asker.shutdown();
    }
  }

  @Test
  void answersInsteadOfAVolumeThatDoesNotAnswer() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      segment(writer, 0, 1000);
      segment(writer, 1800, 1000);
      start(open(TailRule.FINAL, live.root), onlyMirror());
      awaitCopied(pair());
      live.stop();
      segment(writer, 3000, 1000);
      GuardedProvider volume = new GuardedProvider(live.root);
      Path root = volume.path(live.root);
      List<String> all = answer(root, Source.RAW).events();
      assertThat(answer(root, Source.AUTO).events()).isEqualTo(all).hasSize(3006);

      volume.stall(live.root);
      long begin = System.nanoTime();
      AnswerLines.Lines lines = answerOnce(root, GROUP, Source.AUTO);
      assertThat(System.nanoTime() - begin).isLessThan(MOST_READ_NANOS);
      assertThat(lines.events()).isEqualTo(all.subList(0, 2004));
      assertThat(lines.coverage().missing())
          .anyMatch(
              span ->
                  span.kind() == SpanKind.UNAVAILABLE
                      && span.range().contains(live.nanos(3000))
                      && span.detail().contains("does not answer within 500 ms"));
      CoverageSpan answered =
          lines.coverage().spans().stream()
              .filter(span -> span.kind() == SpanKind.ANSWERED)
              .findFirst()
              .orElseThrow();
      assertThat(answered.range().contains(live.nanos(0))).isTrue();
      assertThat(answered.range().contains(live.nanos(1801))).isFalse();

      volume.answer();
      await("the archive", () -> answer(root, Source.AUTO).events().equals(all));
      await("its end", () -> answer(root, Source.AUTO).coverage().missing().isEmpty());
    }
  }

  @Test
  void answersInsteadOfAMissingVolume() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      segment(writer, 0, 1000);
      start(live.archive, onlyMirror());
      awaitCopied(pair());
      List<String> all = answer(live.root, Source.RAW).events();
      Path volume = live.root.resolve("VA");
      Files.move(volume, directory.resolve("away"));
      assertThat(answer(live.root, Source.AUTO).events()).isEqualTo(all).hasSize(1002);
      assertThat(answer(live.root, Source.AUTO).coverage().isComplete()).isFalse();
      // An empty directory, like the mount point of a volume that is not mounted.
      Files.createDirectories(volume);
      assertThat(answer(live.root, Source.AUTO).events()).isEqualTo(all);
      await(
          "the report of it",
          () -> live.problems.stream().anyMatch(problem -> problem.contains("group is away")));
      assertThat(answer(live.root, Source.AUTO).events()).isEqualTo(all);
    }
  }

  /** The log is changed in place, as if a stale page had been copied. */
  @Test
  void changedBytesAreDetectedAndCopiedAgain() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      segment(writer, 0, 1000);
      FollowService following =
          start(
              open(TailRule.FINAL, live.root),
              settings(NEVER, Duration.ofMillis(300), CacheSettings.EVERYTHING));
      awaitCopied(pair());
      try (RandomAccessFile log = new RandomAccessFile(pair().logPath().toFile(), "rw")) {
        log.seek(Files.size(pair().logPath()) / 2);
        log.write(17);
      }
      await(
          "the copy of other bytes", () -> following.counters().get(Count.MIRROR_DIFFERENCES) == 1);
      await(
          "the report of it",
          () -> live.problems.stream().anyMatch(problem -> problem.contains("other bytes")));
      byte[] log = Files.readAllBytes(pair().logPath());
      await("the same bytes", () -> holds(presentCopy(pair()), log));
    }
  }

  /** Returns whether a copy has these bytes and no others. */
  private static boolean holds(LogCopy copy, byte[] expected) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(expected.length);
    try (LogCopy.Reader reader = copy.open()) {
      return copy.endOffset() == expected.length
          && reader.read(bytes, 0) == expected.length
          && Arrays.equals(bytes.array(), expected);
    }
  }

  @Test
  void aCopyIsRemovedWhenComparedBlocksHaveThePair() throws Exception {
    Archive growing =
        Archive.open(
            live.root, live.archive.settings().withClosedAfterNanos(TimeUnit.HOURS.toNanos(1)));
    try (LogWriter writer = live.pair(GROUP, 0)) {
      segment(writer, 0, 100_000);
      FollowService following =
          start(growing, settings(Duration.ZERO, Duration.ofMillis(300), CacheSettings.EVERYTHING));
      awaitCopied(pair());
      await("bytes of the mirror", () -> following.mirrorBytes() > Files.size(pair().logPath()));
      segment(writer, 60, 100);
      // The part that is in blocks takes no space any more, although the pair grows.
      await("less of the copy", () -> fromOffset(pair()) > 0);
      assertThat(answer(live.root, Source.AUTO).events())
          .isEqualTo(answer(live.root, Source.RAW).events())
          .hasSize(100_104);
      TestStores.closePairs(live.root);
      await("the end of the copy", () -> copy(pair()) == null);
      await("no more bytes", () -> following.mirrorBytes() == 0);
    }
    assertThat(answer(live.root, Source.AUTO).events())
        .isEqualTo(answer(live.root, Source.RAW).events())
        .hasSize(100_104);
    assertThat(live.problems).isEmpty();
  }

  @Test
  void columnsAreMadeWhateverHappensToTheMirror() throws Exception {
    Files.createFile(mirrorPath);
    try (LogWriter writer = live.pair(GROUP, 0)) {
      segment(writer, 0, 100);
      segment(writer, 60, 100);
      start(
          open(TailRule.FINAL, live.root),
          settings(Duration.ZERO, NEVER, CacheSettings.EVERYTHING));
      await("the problem", () -> !live.problems.isEmpty());
      assertThat(live.problems.get(0)).contains("mirror");
      await("the block", () -> live.coveredBytes(GROUP) > 0);
      Files.delete(mirrorPath);
      awaitCopied(pair());
      await("the end of the problem", () -> live.over.equals(live.problems));
      // The disk is removed, and an empty one takes its place.
      Files.move(mirrorPath, directory.resolve("away"));
      segment(writer, 120, 100);
      awaitCopied(pair());
      assertThat(answer(live.root, Source.AUTO).events())
          .isEqualTo(answer(live.root, Source.RAW).events())
          .hasSize(306);
    }
  }

  @Test
  void aMirrorKeepsToAQuarterOfTheBudget() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      segment(writer, 0, 20_000);
      CacheSettings cache =
          new CacheSettings(
              400_000,
              0,
              CacheSettings.Eviction.LEAST_RECENTLY_USED,
              false,
              CacheSettings.Mode.FOLLOW,
              Map.of());
      FollowService following =
          start(open(TailRule.FINAL, live.root), settings(NEVER, NEVER, cache));
      await(
          "the problem",
          () -> live.problems.stream().anyMatch(problem -> problem.contains("budget")));
      long copied = copied(pair());
      segment(writer, 60, 20_000);
      // It is measured as often as the mirror thread runs.
      long written = System.nanoTime();
      await("a poll", () -> following.groups().get(0).answeredNanos() > written);
      long seen = System.nanoTime();
      await("another poll", () -> following.groups().get(0).answeredNanos() > seen);
      assertThat(copied(pair())).isEqualTo(copied);
    }
  }

  /** No blocks are made, because the store's disk is full. Every log is read. */
  @Test
  void samplesGiveTheSameAnswerFromMirrorAndArchive() throws Exception {
    TestStores.sample("mixed", live.root);
    FullDisk disk = new FullDisk();
    disk.full = true;
    live.start(live.archive, onlyMirror(), disk, Clock.systemUTC());
    for (Group group : live.archive.groups()) {
      List<Pair> pairs = live.archive.pairs(group);
      if (!pairs.isEmpty()) {
        Pair newest = pairs.get(pairs.size() - 1);
        awaitCopied(newest);
        AnswerLines.Lines raw = answer(live.root, group, Source.RAW);
        AnswerLines.Lines both = answer(live.root, group, Source.AUTO);
        assertThat(both.events()).isEqualTo(raw.events());
        assertThat(both.coverage().missing()).isEqualTo(raw.coverage().missing());
        assertThat(both.coverage().notes()).isEqualTo(raw.coverage().notes());
        assertThat(bytes(presentCopy(newest), copied(newest)))
            .isEqualTo(Files.readAllBytes(newest.logPath()));
      }
    }
  }
}
