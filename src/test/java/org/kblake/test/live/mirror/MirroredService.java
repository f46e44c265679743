package org.kblake.test.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;
import org.kblake.test.oracle.AnswerLines;

/** A service that keeps a mirror of an archive, for tests of the copies and of the answers. */
abstract class MirroredService extends FollowedArchive {

  static final Duration NEVER = Duration.ofDays(1);

  Path mirrorPath;

  @BeforeEach
  void nameMirror() {
    mirrorPath = directory.resolve("mirror");
  }

  /**
   * Returns settings without sealing and comparison, so that all reads of logs are for the mirror.
   */
  FollowSettings onlyMirror() {
    return settings(NEVER, NEVER, CacheSettings.EVERYTHING);
  }

  FollowSettings settings(Duration sealAge, Duration recheck, CacheSettings cache) {
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
  Archive open(TailRule tail, Path root) throws IOException {
    return Archive.open(
        root,
        ArchiveSettings.defaults()
            .withTail(tail)
            .withSettleNanos(TimeUnit.MILLISECONDS.toNanos(100)));
  }

  FollowService start(Archive seen, FollowSettings settings) throws IOException {
    return live.start(seen, settings, new UnforcedFiles(), Clock.systemUTC());
  }

  /**
   * Writes a segment whose last byte is not zero, because zeros at the end of a log may be
   * unwritten bytes. The mirror never sees the log without its last event, if the log is small.
   */
  void segment(LogWriter writer, long seconds, int events) throws IOException {
    live.write(writer, seconds, events);
    writer.number(0, live.nanos(seconds + 1), 0, 0, Double.doubleToRawLongBits(1.5));
    writer.flush();
  }

  @Nullable LogCopy copy(Pair pair) {
    Mirror mirror = Mirror.of(live.storePath);
    return mirror == null ? null : mirror.copy(pair.group(), pair.stamp());
  }

  LogCopy presentCopy(Pair pair) {
    return Objects.requireNonNull(copy(pair));
  }

  long fromOffset(Pair pair) {
    LogCopy copy = copy(pair);
    return copy == null ? 0 : copy.fromOffset();
  }

  long copied(Pair pair) {
    LogCopy copy = copy(pair);
    return copy == null ? 0 : copy.endOffset();
  }

  void awaitCopied(Pair pair) throws Exception {
    await("the copy", () -> copied(pair) == Files.size(pair.logPath()));
  }

  Pair pair() throws IOException {
    List<Pair> pairs = live.archive.pairs(GROUP);
    return pairs.get(pairs.size() - 1);
  }

  AnswerLines.Lines answer(Path root, Source source) throws Exception {
    return answer(root, GROUP, source);
  }

  AnswerLines.Lines answer(Path root, Group group, Source source) throws Exception {
    return FollowServiceFixture.awaitAnswer(() -> answerOnce(root, group, source));
  }

  AnswerLines.Lines answerOnce(Path root, Group group, Source source) throws IOException {
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
  static byte[] bytes(LogCopy copy, long toOffset) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) toOffset);
    try (LogCopy.Reader reader = copy.open()) {
      assertThat(reader.read(bytes, 0)).isEqualTo((int) toOffset);
    }
    return bytes.array();
  }
}
