package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.LocalDisks;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;

/**
 * On a local disk, changes are noticed before the next poll, which is an hour away in these tests.
 */
final class FollowServiceWatchTest extends FollowedArchive {

  @BeforeEach
  void requireLocalDisk() throws IOException {
    assumeThat(new LocalDisks().isLocal(directory)).as("a local disk").isTrue();
  }

  /** Starts a service for which pairs do not close during a test. */
  private FollowService start() throws Exception {
    FollowService following =
        live.start(
            Archive.open(live.root, ArchiveSettings.defaults()),
            seldom(),
            new UnforcedFiles(),
            Clock.systemUTC());
    await("readiness", following::ready);
    return following;
  }

  private void awaitMoreThan(Group group, long covered) throws Exception {
    await("a block", () -> live.coveredBytes(group) > covered);
  }

  private static FollowSettings seldom() {
    FollowSettings eager = FollowServiceFixture.eager();
    return new FollowSettings(
        List.of(),
        Duration.ofHours(1),
        eager.sealAge(),
        eager.sealBytes(),
        eager.sealEvents(),
        Duration.ofHours(1),
        2,
        2 * eager.memoryBytes(),
        0,
        Duration.ZERO,
        eager.profile(),
        null,
        eager.cache(),
        null);
  }

  @Test
  void newSegmentsAreSealedAtOnce() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
      FollowService following = start();
      // A change during a poll, or while a block is made, is also noticed.
      for (int minute = 1; minute < 6; minute++) {
        long covered = live.coveredBytes(GROUP);
        live.segment(writer, 60L * minute, 100);
        awaitMoreThan(GROUP, covered);
      }
      writer.number(0, live.nanos(301), 0, 0, 0);
      writer.flush();
      long pending =
          Files.size(live.archive.pairs(GROUP).get(0).logPath()) - live.coveredBytes(GROUP);
      await("the event", () -> following.groups().get(0).pendingBytes() == pending);
    }
    assertThat(live.problems).isEmpty();
  }

  @Test
  void aNewGroupIsFollowedAtOnce() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
      start();
      Group added = new Group("VA", "PUMP");
      try (LogWriter other = live.pair(added, 0)) {
        live.segment(other, 0, 100);
        live.segment(other, 60, 100);
        awaitMoreThan(added, 0);
      }
    }
  }

  /** The watched directory is deleted and created again. */
  @Test
  void aReplacedDirectoryIsReportedAndWatchedAgain() throws Exception {
    Path volume = live.root.resolve("VA");
    Path away = directory.resolve("away");
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
      start();
      live.segment(writer, 60, 100);
      awaitMoreThan(GROUP, 0);
      // A segment is sealed without a poll, so the directory is watched.
      long first = live.coveredBytes(GROUP);
      live.segment(writer, 120, 100);
      awaitMoreThan(GROUP, first);
      Files.move(volume, away);
      await(
          "the problem",
          () ->
              live.problems.stream()
                  .anyMatch(problem -> problem.contains("changes are not reported")));
      Files.move(away, volume);
      await("its end", () -> live.over.stream().anyMatch(over -> over.contains("not reported")));
      long covered = live.coveredBytes(GROUP);
      live.segment(writer, 180, 100);
      awaitMoreThan(GROUP, covered);
    }
  }
}
