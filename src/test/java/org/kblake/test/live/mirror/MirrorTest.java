package org.kblake.test.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.log.LogWriter;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;

/** Tests the statements of docs/design/mirror.md about the copies of growing logs. */
final class MirrorTest extends MirroredService {

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
          "the copy of other bytes", () -> following.counters().get(Count.MIRROR_DIFFERENCES) > 0);
      await(
          "the report of it",
          () -> live.problems.stream().anyMatch(problem -> problem.contains("other bytes")));
      byte[] log = Files.readAllBytes(pair().logPath());
      await("the same bytes", () -> holds(presentCopy(pair()), log));
    }
  }

  /** Only the copy has the lost bytes. It stays, also for the next process. */
  @Test
  void copyOfALogThatBecameShorterIsKeptUntilTheLogIsWholeAgain() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      segment(writer, 0, 1000);
      FollowService first = start(open(TailRule.FINAL, live.root), onlyMirror());
      awaitCopied(pair());
      byte[] whole = Files.readAllBytes(pair().logPath());
      try (RandomAccessFile log = new RandomAccessFile(pair().logPath().toFile(), "rw")) {
        log.setLength(whole.length - 28);
        await("the report", () -> first.counters().get(Count.MIRROR_DIFFERENCES) == 1);
        live.stop();
        FollowService second = start(open(TailRule.FINAL, live.root), onlyMirror());
        await("the next report", () -> second.counters().get(Count.MIRROR_DIFFERENCES) == 1);
        assertThat(live.problems).anyMatch(each -> each.contains("shorter than its copy"));
        assertThat(holds(presentCopy(pair()), whole)).isTrue();
        log.seek(log.length());
        log.write(whole, whole.length - 28, 28);
      }
      segment(writer, 60, 10);
      awaitCopied(pair());
      assertThat(holds(presentCopy(pair()), Files.readAllBytes(pair().logPath()))).isTrue();
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
}
