package org.kblake.test.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.FullDisk;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.oracle.AnswerLines;

/** Tests the statements of docs/design/mirror.md about answers from the copies of growing logs. */
final class MirrorAnswersTest extends MirroredService {

  private static final long MAX_READ_NANOS = TimeUnit.SECONDS.toNanos(20);

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
      assertThat(System.nanoTime() - begin).isLessThan(MAX_READ_NANOS);
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
