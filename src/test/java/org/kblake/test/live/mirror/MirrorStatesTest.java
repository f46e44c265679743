package org.kblake.test.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.mirror.CopyWriter;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ReaderClock;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.oracle.AnswerLines;

/**
 * For any contents of a mirror, an answer is a prefix of the log order, or its coverage report
 * names the times of missing events. The tests make the copies themselves.
 */
final class MirrorStatesTest extends FollowedArchive {

  private static final int EVENTS = 100;
  private static final Duration LEFT_ALONE = Duration.ofHours(1);

  private Archive archive;

  @BeforeEach
  void makeStore() throws IOException {
    archive = archive(TailRule.FINAL);
    TestStores.storeForWriting(archive, live.storePath).close();
  }

  /**
   * Opens the archive with settings under which pairs do not close during a test, and spans are
   * hardly widened.
   */
  private Archive archive(TailRule tail) throws IOException {
    return Archive.open(
        live.root,
        ArchiveSettings.defaults()
            .withTail(tail)
            .withDisorderBoundNanos(TimeUnit.SECONDS.toNanos(1)));
  }

  /** Writes a pair with two milestones, 20 minutes apart. */
  private Pair pair(int seconds) throws IOException {
    try (LogWriter writer = live.pair(GROUP, seconds)) {
      live.segment(writer, seconds, EVENTS);
      live.segment(writer, seconds + 1200, EVENTS);
    }
    List<Pair> pairs = archive.pairs(GROUP);
    return pairs.get(pairs.size() - 1);
  }

  /** Copies a pair in its present state. */
  private void copy(Pair pair, long toOffset, boolean closed) throws IOException {
    Mirror mirror = Mirror.make(live.storePath, directory.resolve("mirror"));
    PairLog log = pair.open();
    byte[] bytes = Files.readAllBytes(pair.logPath());
    CopyWriter copy = CopyWriter.begin(mirror.files(GROUP, pair.stamp()), 0);
    copy.put(ByteBuffer.wrap(bytes, 0, (int) toOffset), 0);
    copy.verified(toOffset);
    Object key = Files.readAttributes(pair.logPath(), BasicFileAttributes.class).fileKey();
    copy.account(
        log.indexBytes(), log.indexModified(), log.logModified(), String.valueOf(key), closed);
  }

  private static void write(Path file, long offset, byte[] bytes) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(offset);
      open.write(bytes);
    }
  }

  private static long offsetOfEvent(Path log, int number) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(log)).order(ByteOrder.LITTLE_ENDIAN);
    int offset = 0;
    for (int i = 0; i < number; i++) {
      offset += bytes.getInt(offset);
    }
    return offset;
  }

  private AnswerLines.Lines answer(Path root, Source source) throws Exception {
    return FollowServiceFixture.awaitAnswer(() -> answerOnce(root, source));
  }

  private AnswerLines.Lines answerOnce(Path root, Source source) throws IOException {
    try (ArchiveReader reader =
        ArchiveReader.builder()
            .archive(root)
            .settings(archive.settings())
            .store(live.storePath)
            .open()) {
      return AnswerLines.read(reader, query(source));
    }
  }

  private static EventQuery query(Source source) {
    return EventQuery.of(ChannelSelection.all(GROUP))
        .between(TimeRange.ALL)
        .withStrays()
        .from(source)
        .allowIncomplete();
  }

  private List<String> all() throws Exception {
    return answer(live.root, Source.RAW).events();
  }

  /**
   * Asserts that the coverage names the times of all events that are missing before the last event
   * of an answer.
   */
  private static void assertPrefixOrReported(AnswerLines.Lines answer, List<String> all) {
    Set<String> given = new HashSet<>(answer.events());
    assertThat(all).containsSubsequence(answer.events());
    int last = all.indexOf(answer.events().get(answer.events().size() - 1));
    for (String line : all.subList(0, last)) {
      long nanos = Long.parseLong(line.substring(0, line.indexOf('\t')));
      if (!given.contains(line)) {
        assertThat(answer.coverage().missing())
            .as("missing: %s", line)
            .anyMatch(span -> span.range().contains(nanos));
      }
    }
  }

  @Test
  void anArchiveContinuesACopyThatEndsAnywhere() throws Exception {
    Pair first = pair(0);
    pair(2400);
    List<String> all = all();
    assertThat(all).hasSize(4 * (EVENTS + 1));
    long size = Files.size(first.logPath());
    for (long end : new long[] {0, 1, 15, size / 2, size - 50, size - 1, size}) {
      copy(first, end, false);
      AnswerLines.Lines answer = answer(live.root, Source.AUTO);
      assertThat(answer.events()).as("copied to %d", end).isEqualTo(all);
      assertThat(answer.coverage().missing()).isEmpty();
    }
  }

  /** A reader keeps names and closed pairs once the directory has not changed for five seconds. */
  @Test
  void anOpenReaderKeepsTheSameFilesWithAndWithoutAMirror() throws Exception {
    Pair first = pair(0);
    TestStores.closePairs(live.root);
    TestStores.backfill(archive, live.storePath);
    Pair second = pair(2400);
    TestStores.closePairs(live.root);
    List<String> without = openedByThirdAnswer();
    copy(first, Files.size(first.logPath()), true);
    copy(second, Files.size(second.logPath()), false);
    List<String> with = openedByThirdAnswer();
    assertThat(without).doesNotContain(first.indexPath().toString(), live.root.toString());
    assertThat(with).isSubsetOf(without).hasSizeLessThanOrEqualTo(without.size());
  }

  /** Returns the files that a reader lists or opens in the archive for its third answer. */
  private List<String> openedByThirdAnswer() throws IOException {
    GuardedProvider volume = new GuardedProvider(live.root);
    try (ArchiveReader reader =
        ReaderClock.set(
                ArchiveReader.builder()
                    .archive(volume.path(live.root))
                    .settings(archive.settings())
                    .store(live.storePath),
                () -> Instant.now().plus(LEFT_ALONE))
            .open()) {
      AnswerLines.read(reader, query(Source.AUTO));
      AnswerLines.Lines before = AnswerLines.read(reader, query(Source.AUTO));
      volume.listings().clear();
      volume.reads().clear();
      assertThat(AnswerLines.read(reader, query(Source.AUTO)).events()).isEqualTo(before.events());
      List<String> opened = new ArrayList<>(volume.listings());
      opened.addAll(volume.reads());
      return opened;
    }
  }

  /** A copy may have such zeros until it is compared with the log. */
  @Test
  void zerosInACopyAreReportedMissing() throws Exception {
    Pair first = pair(0);
    byte[] whole = Files.readAllBytes(first.logPath());
    write(first.logPath(), whole.length - 1000, new byte[1000]);
    copy(first, whole.length, false);
    write(first.logPath(), 0, whole);
    pair(2400);
    AnswerLines.Lines answer = answer(live.root, Source.AUTO);
    assertThat(answer.events()).hasSizeLessThan(all().size());
    assertPrefixOrReported(answer, all());
  }

  /** The mirror has the second pair, and the directory does not show it yet. */
  @Test
  void thePairBeforeOneThatOnlyTheMirrorHasMayBeIncomplete() throws Exception {
    Pair first = pair(0);
    Pair second = pair(2400);
    List<String> all = all();
    copy(second, Files.size(second.logPath()), false);
    for (Path file : List.of(second.indexPath(), second.logPath())) {
      Files.move(file, directory.resolve(file.getFileName()));
    }
    try (RandomAccessFile log = new RandomAccessFile(first.logPath().toFile(), "rw")) {
      log.setLength(log.length() - 1000);
    }
    archive = archive(TailRule.PROVISIONAL);
    AnswerLines.Lines answer = answer(live.root, Source.AUTO);
    assertThat(answer.events()).contains(all.get(all.size() - 1));
    assertPrefixOrReported(answer, all);
  }

  @Test
  void anUnresponsiveArchiveMayHaveMorePairsBetweenCopies() throws Exception {
    pair(0);
    TestStores.closePairs(live.root);
    TestStores.backfill(archive, live.storePath);
    pair(2000);
    Pair third = pair(3300);
    copy(third, Files.size(third.logPath()), false);
    List<String> all = all();
    GuardedProvider volume = new GuardedProvider(live.root);
    volume.stall(live.root);
    try {
      AnswerLines.Lines answer = answerOnce(volume.path(live.root), Source.AUTO);
      assertThat(answer.events()).hasSize(4 * (EVENTS + 1)).contains(all.get(0));
      assertPrefixOrReported(answer, all);
    } finally {
      volume.answer();
    }
  }

  /** A reader has the snapshot of a pair, and its log fails during planning. */
  @Test
  void aLogThatFailsDuringPlanningIsReportedMissing() throws Exception {
    Pair first = pair(0);
    pair(2400);
    TestStores.closePairs(live.root);
    List<String> all = all();
    GuardedProvider volume = new GuardedProvider(live.root);
    try (ArchiveReader reader =
        ArchiveReader.builder()
            .archive(volume.path(live.root))
            .settings(archive.settings())
            .open()) {
      assertThat(AnswerLines.read(reader, query(Source.AUTO)).events()).isEqualTo(all);
      volume.breakFile(first.logPath());
      AnswerLines.Lines answer = AnswerLines.read(reader, query(Source.AUTO));
      assertThat(answer.events()).isEqualTo(all.subList(2 * (EVENTS + 1), all.size()));
      assertPrefixOrReported(answer, all);
    }
  }

  /** This also holds without a mirror: the last bytes of the pair before are filled in later. */
  @Test
  void zerosAtTheEndOfThePairBeforeAreReportedMissing() throws Exception {
    Pair first = pair(0);
    pair(2400);
    List<String> all = all();
    byte[] whole = Files.readAllBytes(first.logPath());
    write(first.logPath(), whole.length - 1000, new byte[1000]);
    for (Source source : List.of(Source.RAW, Source.AUTO)) {
      assertPrefixOrReported(answer(live.root, source), all);
    }
    write(first.logPath(), 0, whole);
    assertThat(answer(live.root, Source.AUTO).coverage().missing()).isEmpty();
  }

  /** A page becomes stale again after the first block was evicted. */
  @Test
  void zerosBeforeABlockAreReportedMissing() throws Exception {
    Path log;
    try (LogWriter writer = live.pair(GROUP, 0)) {
      for (int i = 0; i < 4; i++) {
        live.segment(writer, 600L * i, EVENTS);
        if (i > 0) {
          TestStores.backfill(archive, live.storePath);
        }
      }
      log = archive.pairs(GROUP).get(0).logPath();
    }
    List<String> all = all();
    assertThat(live.blocks(GROUP)).hasSizeGreaterThan(1);
    Files.move(live.blocks(GROUP).get(0).directory(), directory.resolve("evicted"));
    write(log, offsetOfEvent(log, 30), new byte[1000]);
    assertPrefixOrReported(answer(live.root, Source.AUTO), all);
  }
}
