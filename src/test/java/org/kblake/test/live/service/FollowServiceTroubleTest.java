package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.BackfillRequest;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;
import org.kblake.test.fixture.volume.FullDisk;
import org.kblake.test.fixture.volume.GuardedProvider;

/**
 * Tests the statements of docs/operations.md about failing disks, missing archives and clock steps.
 */
final class FollowServiceTroubleTest extends FollowedArchive {

  private static final Group OTHER = new Group("RF", "AnalogData");

  /**
   * Settings that poll files all the time and do not compare blocks. The only worker reads segments
   * to seal.
   */
  private static final FollowSettings UNDISTURBED =
      FollowServiceFixture.undisturbed(1, CacheSettings.EVERYTHING);

  /**
   * Over a network an index may be visible before the log. It does not change when the log becomes
   * visible.
   */
  @Test
  void segmentIsSealedThoughItsLogIsSeenAfterTheIndex() throws Exception {
    GuardedProvider volumes = volumes();
    Archive seen =
        Archive.open(
            volumes.path(live.root),
            live.archive.settings().withClosedAfterNanos(TimeUnit.HOURS.toNanos(1)));
    try (LogWriter writer = live.pair(OTHER, 0)) {
      live.segment(writer, 0, 10);
      Path log = live.archive.pairs(OTHER).get(0).logPath();
      int first = (int) Files.size(log);
      live.segment(writer, 60, 10);
      byte[] whole = Files.readAllBytes(log);
      Files.write(log, Arrays.copyOf(whole, first));
      live.start(seen, UNDISTURBED, new UnforcedFiles(), Clock.systemUTC());
      await("a poll of the log", () -> volumes.reads().size() > 1);
      Files.write(log, Arrays.copyOfRange(whole, first, whole.length), StandardOpenOption.APPEND);
      await("the segment", () -> live.coveredBytes(OTHER) == first);
    }
  }

  @Test
  void missingArchiveCostsNoBlockAndCountsAsLag() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
    }
    FollowService following = live.start(FollowServiceFixture.eager());
    await("the block", () -> live.blocks(GROUP).size() == 1);
    // An empty directory, like the mount point of a volume that is not mounted.
    Path volume = live.root.resolve("VA");
    Path away = directory.resolve("away");
    Files.move(volume, away);
    Files.createDirectory(volume);
    String problem =
        "group is away: group=VA/CCG, file="
            + volume
            + ", the archive has no pair of it; mount its volume";
    await("the problem", () -> following.problems().contains(problem));
    assertThat(state(following, GROUP).lagNanos(System.nanoTime() + TimeUnit.MINUTES.toNanos(1)))
        .isGreaterThan(TimeUnit.MINUTES.toNanos(1));
    assertThat(live.blocks(GROUP)).hasSize(1);
    assertThat(live.discarded).isEmpty();
    Files.delete(volume);
    Files.move(away, volume);
    await("the end of the problem", () -> live.over.contains(problem));
    await("an answer", () -> state(following, GROUP).lagNanos(System.nanoTime()) == 0);
    assertThat(live.answer(GROUP)).hasSize(101);
  }

  /** The group is missing when the process begins, and KEKBLog.list does not name it either. */
  @Test
  void groupThatOnlyColumnsNameIsUnavailableUntilItReturns() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
    }
    TestStores.closePairs(live.root);
    TestStores.backfill(live.archive, live.storePath);
    Path volume = live.root.resolve("VA");
    Path away = directory.resolve("away");
    Files.move(volume, away);
    Files.createDirectory(volume);
    FollowService following = live.start(FollowServiceFixture.eager());
    String problem =
        "group is away: group=VA/CCG, file="
            + volume
            + ", the archive has no pair of it; mount its volume";
    await("the problem", () -> following.problems().contains(problem));
    await("the group's state", () -> state(following, GROUP).away());
    assertThat(state(following, GROUP).lagNanos(System.nanoTime() + TimeUnit.MINUTES.toNanos(1)))
        .isGreaterThan(TimeUnit.MINUTES.toNanos(1));
    Files.delete(volume);
    Files.move(away, volume);
    await("the end of the problem", () -> live.over.contains(problem));
    await("an answer", () -> !state(following, GROUP).away());
    assertThat(live.discarded).isEmpty();
    assertThat(live.answer(GROUP)).hasSize(101);
  }

  /** If columns replace logs, these are removed on purpose. */
  @Test
  void logsThatColumnsReplaceMayBeRemoved() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0);
        LogWriter other = live.pair(OTHER, 0)) {
      live.segment(writer, 0, 100);
      live.segment(other, 0, 100);
    }
    FollowService following =
        live.start(
            FollowServiceFixture.eager(
                new CacheSettings(
                    0,
                    0,
                    CacheSettings.Eviction.LEAST_RECENTLY_USED,
                    true,
                    CacheSettings.Mode.FOLLOW,
                    Map.of())));
    await("the block", () -> live.blocks(GROUP).size() == 1);
    Files.move(live.root.resolve("VA"), directory.resolve("VA"));
    long covered = live.coveredBytes(OTHER);
    try (LogWriter writer = live.pair(OTHER, 60)) {
      live.segment(writer, 60, 10);
      live.segment(writer, 120, 10);
    }
    await("a poll of the other group", () -> live.coveredBytes(OTHER) > covered);
    long seen = System.nanoTime();
    await("a poll", () -> state(following, GROUP).answeredNanos() > seen);
    assertThat(following.problems()).isEmpty();
    assertThat(state(following, GROUP).away()).isFalse();
  }

  @Test
  void unlistableDirectoryIsAProblem() throws Exception {
    Path link = Files.createSymbolicLink(live.root.resolve("BM"), Path.of("/nowhere"));
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
    }
    FollowService following = live.start(FollowServiceFixture.eager());
    await("the block", () -> live.blocks(GROUP).size() == 1);
    await("the problem", () -> following.problems().size() == 1);
    assertThat(following.problems().get(0)).contains(link.toString(), "target=/nowhere");
  }

  @Test
  void directoryWithoutReadPermissionAffectsOnlyItsOwnGroups() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0);
        LogWriter other = live.pair(OTHER, 0)) {
      live.segment(writer, 0, 100);
      live.segment(other, 0, 100);
    }
    TestStores.closePairs(live.root);
    GuardedProvider user = volumes();
    Archive seen = Archive.open(user.path(live.root), live.archive.settings());
    TestStores.backfill(seen, live.storePath);
    user.forbid(live.root.resolve("VA"));
    assertThat(seen.shownGroups().unlisted()).containsOnlyKeys("VA");
    BackfillSummary summary = TestStores.backfill(seen, live.storePath);
    assertThat(summary.problems()).isPositive();
    assertThat(live.blocks(GROUP)).hasSize(1);
    FollowService following =
        live.start(seen, FollowServiceFixture.eager(), new UnforcedFiles(), Clock.systemUTC());
    await("the problem", () -> following.problems().size() == 1);
    assertThat(following.problems().get(0))
        .contains("group=VA/CCG", "not readable for this user; grant read access");
    assertThat(live.blocks(OTHER)).hasSize(1);
  }

  @Test
  void continuesWhenAStoreCanBeWrittenAgain() throws Exception {
    FullDisk disk = new FullDisk("Read-only file system");
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
    }
    disk.full = true;
    FollowService following = live.start(FollowServiceFixture.eager(), disk);
    await("the problem", () -> !live.problems.isEmpty());
    assertThat(live.problems.get(0)).contains("group=VA/CCG", "Read-only file system");
    await("readiness", following::ready);
    assertThat(live.answer(GROUP)).hasSize(101);
    disk.full = false;
    await("the block", () -> live.coveredBytes(GROUP) > 0);
    await("the end of the problem", () -> live.over.equals(live.problems));
  }

  /**
   * The clock steps by a day in both directions. The work that is due depends on elapsed time of
   * the process, too.
   */
  @Test
  void clockStepsLoseAndDoubleNothing() throws Exception {
    AtomicReference<Duration> step = new AtomicReference<>(Duration.ZERO);
    InstantSource source = () -> Instant.now().plus(step.get());
    // The pair must not close before the clock is set.
    Archive seen =
        Archive.open(
            live.root, live.archive.settings().withClosedAfterNanos(TimeUnit.HOURS.toNanos(1)));
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
      live.segment(writer, 60, 100);
      live.start(
          seen,
          FollowServiceFixture.settings(Duration.ofMillis(100), Long.MAX_VALUE),
          new UnforcedFiles(),
          source.withZone(ZoneOffset.UTC));
      await("the first segment", () -> live.blocks(GROUP).size() == 1);
      step.set(Duration.ofDays(-1));
      live.segment(writer, 120, 100);
      await("the second segment", () -> live.blocks(GROUP).size() == 2);
      // The blocks may be merged at the end of a month.
      long covered = live.coveredBytes(GROUP);
      step.set(Duration.ofDays(1));
      live.segment(writer, 180, 100);
      await("the third segment", () -> live.coveredBytes(GROUP) > covered);
    }
    await("all events", () -> live.answer(GROUP).size() == 404);
    live.stop();
    assertThat(live.problems).isEmpty();
    assertThat(TestStores.verify(live.archive, live.storePath)).isEmpty();
    long events = 0;
    for (Block block : live.blocks(GROUP)) {
      events += block.summary().events();
    }
    assertThat(events).isLessThanOrEqualTo(404);
  }

  /** kblog creates one file after the other, and then writes the record table. */
  @Test
  void pairThatBeginsIsNoProblem() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
    }
    TestStores.closePairs(live.root);
    Archive seen = Archive.open(live.root, ArchiveSettings.defaults());
    FollowService following = live.start(seen, UNDISTURBED, new UnforcedFiles(), Clock.systemUTC());
    await("the block", () -> live.blocks(GROUP).size() == 1);
    Path log = live.archive.pairs(GROUP).get(0).logPath();
    String stamp =
        DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT)
            .format(live.begin.plusSeconds(60).atZone(FollowServiceFixture.ZONE));
    String extension = String.valueOf(log.getFileName()).substring("CCG_".length() + 14);
    Files.createFile(log.resolveSibling("CCG_" + stamp + extension));
    awaitNextPoll(following);
    Path index = live.archive.pairs(GROUP).get(1).indexPath();
    Files.createFile(index);
    awaitNextPoll(following);
    BackfillSummary summary =
        following.backfill(
            new BackfillRequest(List.of(GROUP), TimeRange.ALL, 0), new TestStores.Quiet());
    assertThat(summary.problems()).isZero();
    assertThat(live.problems).isEmpty();
    live.stop();
    assertThat(TestStores.backfill(seen, live.storePath).problems()).isZero();
  }

  /** Waits for the next poll of all groups. A new group is in columns after it. */
  private void awaitNextPoll(FollowService following) throws Exception {
    Group late = new Group("RF", "L" + following.groups().size());
    try (LogWriter writer = live.pair(late, 0)) {
      live.segment(writer, 0, 10);
      live.segment(writer, 60, 10);
    }
    await("another group", () -> live.coveredBytes(late) > 0);
  }
}
