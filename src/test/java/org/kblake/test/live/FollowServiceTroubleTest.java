package org.kblake.test.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.live.FollowServiceFixture.GROUP;
import static org.kblake.test.live.FollowServiceFixture.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.write.LogWriter;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.page.Codec;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.BackfillListener;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.BackfillRequest;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.GroupState;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.FullDisk;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.fixture.volume.UnforcedFiles;

/** What docs/operations.md promises of disks, volumes and clocks that misbehave. */
final class FollowServiceTroubleTest {

  private static final Group OTHER = new Group("RF", "AnalogData");

  /** More than any number of threads that somebody would think of. */
  private static final int SILENT_GROUPS = 40;

  /** Looks at files all the time, and compares no blocks: the only worker reads what is sealed. */
  private static final FollowSettings UNDISTURBED = undisturbed(1, CacheSettings.EVERYTHING);

  /** The same, and finds silent volumes soon. */
  private static final FollowSettings SHORT_SILENCE = shortSilence(1, CacheSettings.EVERYTHING);

  @TempDir Path directory;

  private FollowServiceFixture live;

  /** May be silent; a test that fails does not leave them so. */
  private final List<GuardedProvider> guarded = new ArrayList<>();

  private static FollowSettings undisturbed(int threads, CacheSettings cache) {
    return new FollowSettings(
        List.of(),
        Duration.ofMillis(20),
        Duration.ZERO,
        1,
        0,
        Duration.ofHours(1),
        threads,
        32 << 20,
        0,
        Duration.ZERO,
        new WriteProfile(Codec.LZ4, false),
        null,
        cache,
        null);
  }

  private static FollowSettings shortSilence(int threads, CacheSettings cache) {
    return undisturbed(threads, cache).with(FollowServiceFixture.SHORT_TIMES);
  }

  private static CacheSettings never(Group... groups) {
    return new CacheSettings(
        0,
        0,
        CacheSettings.Eviction.LEAST_RECENTLY_USED,
        false,
        CacheSettings.Mode.FOLLOW,
        Arrays.stream(groups)
            .collect(Collectors.toMap(group -> group, group -> CacheSettings.Mode.NEVER)));
  }

  private GuardedProvider volumes() throws IOException {
    GuardedProvider volumes = new GuardedProvider(live.root);
    guarded.add(volumes);
    return volumes;
  }

  @BeforeEach
  void makeArchive() throws IOException {
    live = new FollowServiceFixture(directory);
  }

  @AfterEach
  void stop() throws Exception {
    guarded.forEach(GuardedProvider::answer);
    live.stop();
  }

  private static GroupState state(FollowService following, Group group) {
    return following.groups().stream()
        .filter(state -> state.group().equals(group))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void volumeThatDoesNotAnswerHoldsUpItsOwnGroupsOnly() throws Exception {
    for (int i = 0; i < SILENT_GROUPS; i++) {
      try (LogWriter writer = live.pair(new Group("VA", "G" + i), 0)) {
        live.segment(writer, 0, 10);
      }
    }
    Group silent = new Group("VA", "G0");
    GuardedProvider volumes = volumes();
    Archive seen = Archive.open(volumes.path(live.root), live.archive.settings());
    try (LogWriter writer = live.pair(OTHER, 0)) {
      live.segment(writer, 0, 10);
    }
    FollowService following =
        live.start(seen, SHORT_SILENCE, new UnforcedFiles(), Clock.systemUTC());
    Group last = new Group("VA", "G" + (SILENT_GROUPS - 1));
    await("the silent volume's blocks", () -> live.coveredBytes(last) > 0);
    // With nothing left to do there the worker does not happen to be at it.
    awaitNoMoreReads(volumes, following);
    await("the first look", following::ready);

    volumes.stall(live.root.resolve("VA"));
    long covered = live.coveredBytes(OTHER);
    try (LogWriter writer = live.pair(OTHER, 60)) {
      live.segment(writer, 60, 10);
      live.segment(writer, 120, 10);
    }
    await("the other volume's blocks", () -> live.coveredBytes(OTHER) > covered);

    String problem = "archive does not answer: group=" + silent;
    await("the problem", () -> following.problems().contains(problem));
    GroupState state = state(following, silent);
    long inAMinute = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    assertThat(state.behindNanos()).isZero();
    assertThat(state.lagNanos(inAMinute)).isGreaterThan(TimeUnit.MINUTES.toNanos(1));
    assertThat(state(following, OTHER).lagNanos(inAMinute - TimeUnit.MINUTES.toNanos(1)))
        .isLessThan(TimeUnit.MINUTES.toNanos(5));

    volumes.answer();
    await("the end of the problem", () -> live.over.contains(problem));
    await("no more lag", () -> state(following, silent).lagNanos(System.nanoTime()) == 0);
    assertThat(live.answer(OTHER)).hasSize(33);
  }

  /** Waits until no file is opened though each group is looked at, and what is due is done. */
  private static void awaitNoMoreReads(GuardedProvider volumes, FollowService following)
      throws Exception {
    await(
        "nothing to do there",
        () -> {
          int opened = volumes.reads().size();
          awaitLooks(following);
          // What the looks found due is done before the next ones.
          awaitLooks(following);
          return volumes.reads().size() == opened;
        });
  }

  private static void awaitLooks(FollowService following) throws Exception {
    long begin = System.nanoTime();
    await(
        "a look at each group",
        () -> following.groups().stream().allMatch(each -> each.answeredNanos() > begin));
  }

  /** As where old pairs are links to another volume: nobody looks at those that are in blocks. */
  @Test
  void requestThatWaitsForACompletePairHoldsUpItsOwnGroupOnly() throws Exception {
    try (LogWriter old = live.pair(GROUP, 0);
        LogWriter writer = live.pair(GROUP, 60);
        LogWriter other = live.pair(OTHER, 0)) {
      live.segment(old, 0, 10);
      live.segment(writer, 60, 10);
      live.segment(other, 0, 10);
    }
    GuardedProvider volumes = volumes();
    Archive seen = Archive.open(volumes.path(live.root), live.archive.settings());
    FollowService following =
        live.start(seen, shortSilence(1, never(OTHER)), new UnforcedFiles(), Clock.systemUTC());
    Path old = live.archive.pairs(GROUP).get(0).indexPath();
    long bytes = logBytes(GROUP);
    await("the blocks", () -> live.coveredBytes(GROUP) == bytes);
    awaitNoMoreReads(volumes, following);
    volumes.hang(old);
    assertRequestPassesOver(GROUP, following, new TestStores.Quiet());
    volumes.answer();
    await("an answer", () -> following.waiting().isEmpty() && following.problems().isEmpty());
  }

  /** The volume answers until the request was planned. */
  @Test
  void requestWhoseLogFallsSilentHoldsUpItsOwnGroupOnly() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0);
        LogWriter other = live.pair(OTHER, 0)) {
      live.segment(writer, 0, 10);
      live.segment(other, 0, 10);
    }
    TestStores.closePairs(live.root);
    GuardedProvider volumes = volumes();
    Archive seen = Archive.open(volumes.path(live.root), live.archive.settings());
    FollowService following =
        live.start(
            seen, shortSilence(2, never(GROUP, OTHER)), new UnforcedFiles(), Clock.systemUTC());
    Path log = live.archive.pairs(GROUP).get(0).logPath();
    assertRequestPassesOver(
        GROUP,
        following,
        new TestStores.Quiet() {
          @Override
          public void planned(long rawBytes) {
            volumes.hang(log);
          }
        });
    volumes.answer();
    await("an answer", () -> following.waiting().isEmpty() && following.problems().isEmpty());
  }

  /** Asks for a silent group and another one. */
  private void assertRequestPassesOver(
      Group silent, FollowService following, BackfillListener listener) throws Exception {
    CompletableFuture<BackfillSummary> done = new CompletableFuture<>();
    Thread asker =
        new Thread(
            () -> {
              try {
                BackfillRequest request =
                    new BackfillRequest(List.of(silent, OTHER), TimeRange.ALL, 0);
                done.complete(following.backfill(request, listener));
              } catch (IOException | InterruptedException | RuntimeException e) {
                done.completeExceptionally(e);
              }
            },
            "asker");
    asker.start();
    try {
      List<String> problem = List.of("archive does not answer: group=" + silent);
      await("the silent group", () -> following.problems().equals(problem));
      assertThat(following.waiting()).containsExactly(silent.toString());
      await("the end of the request", done::isDone);
      assertThat(done.get().problems()).isEqualTo(1);
      assertThat(live.coveredBytes(OTHER)).isEqualTo(logBytes(OTHER));
    } finally {
      asker.interrupt();
    }
  }

  private long logBytes(Group group) throws IOException {
    long bytes = 0;
    for (Pair pair : live.archive.pairs(group)) {
      bytes += Files.size(pair.logPath());
    }
    return bytes;
  }

  /** Over a network an index may be seen before the log, and does not change when that is seen. */
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
      await("a look into the log", () -> volumes.reads().size() > 1);
      Files.write(log, whole);
      await("the segment", () -> live.coveredBytes(OTHER) == first);
    }
  }

  /** As SIGHUP has another one take over, with other settings. */
  @Test
  void otherSettingsCountForOtherVolumesWhileOneDoesNotAnswer() throws Exception {
    GuardedProvider volumes = volumes();
    Archive seen = Archive.open(volumes.path(live.root), live.archive.settings());
    try (LogWriter writer = live.pair(GROUP, 0);
        LogWriter other = live.pair(OTHER, 0)) {
      live.segment(writer, 0, 10);
      live.segment(other, 0, 10);
    }
    FollowService before = live.start(seen, SHORT_SILENCE, new UnforcedFiles(), Clock.systemUTC());
    await("the blocks", () -> live.coveredBytes(GROUP) > 0 && live.coveredBytes(OTHER) > 0);
    await("the first look", () -> before.ready() && before.waiting().isEmpty());
    assertThat(before.isHeldUp()).isFalse();
    volumes.hang(live.root.resolve("VA"));
    await("a look that waits", () -> !volumes.waiting().isEmpty());
    FollowService after = live.takeOver(before, seen, SHORT_SILENCE);
    assertThat(before.ready()).isFalse();
    long covered = live.coveredBytes(OTHER);
    try (LogWriter writer = live.pair(OTHER, 60)) {
      live.segment(writer, 60, 10);
      live.segment(writer, 120, 10);
    }
    await("the other volume's blocks", () -> live.coveredBytes(OTHER) > covered);
    await(
        "the word of the silent volume",
        () ->
            after.waiting().equals(List.of(GROUP.toString()))
                && after.problems().contains("archive does not answer: group=" + GROUP));
    await("a long wait", before::isHeldUp);
    volumes.answer();
    await("the silent group", () -> after.ready() && after.waiting().isEmpty());
    assertThat(after.problems()).isEmpty();
    assertThat(live.answer(GROUP)).hasSize(11);
    assertThat(live.answer(OTHER)).hasSize(33);
  }

  @Test
  void archiveThatIsGoneCostsNoBlockAndCountsAsLag() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
    }
    FollowService following = live.start(FollowServiceFixture.eager());
    await("the block", () -> live.blocks(GROUP).size() == 1);
    // What is left of a volume that is not mounted: an empty directory.
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

  /** It was gone when the process began, and KEKBLog.list does not name it either. */
  @Test
  void groupThatOnlyColumnsKnowIsAwayUntilItComesBack() throws Exception {
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

  /** Where columns replace logs, these are removed on purpose. */
  @Test
  void logsThatColumnsReplaceMayGo() throws Exception {
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
    await("a look at the other group", () -> live.coveredBytes(OTHER) > covered);
    long seen = System.nanoTime();
    await("a look", () -> state(following, GROUP).answeredNanos() > seen);
    assertThat(following.problems()).isEmpty();
    assertThat(state(following, GROUP).away()).isFalse();
  }

  @Test
  void directoryThatCannotBeListedIsAProblemOfItsOwn() throws Exception {
    Path link = Files.createSymbolicLink(live.root.resolve("BM"), Path.of("/nowhere"));
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
    }
    FollowService following = live.start(FollowServiceFixture.eager());
    await("the block", () -> live.blocks(GROUP).size() == 1);
    assertThat(following.problems()).hasSize(1);
    assertThat(following.problems().get(0)).contains(link.toString(), "target=/nowhere");
  }

  @Test
  void directoryThatMayNotBeReadHoldsUpItsOwnGroupsOnly() throws Exception {
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
  void goesOnWhenAStoreCanBeWrittenAgain() throws Exception {
    FullDisk disk = new FullDisk("Read-only file system");
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
    }
    disk.full = true;
    FollowService following = live.start(FollowServiceFixture.eager(), disk);
    await("the problem", () -> !live.problems.isEmpty());
    assertThat(live.problems.get(0)).contains("group=VA/CCG", "Read-only file system");
    assertThat(following.ready()).isTrue();
    assertThat(live.answer(GROUP)).hasSize(101);
    disk.full = false;
    await("the block", () -> live.coveredBytes(GROUP) > 0);
    await("the end of the problem", () -> live.over.equals(live.problems));
  }

  /** Both ways, by a day. What is due is due by the process's own time, too. */
  @Test
  void clockStepsLoseAndDoubleNothing() throws Exception {
    AtomicReference<Duration> step = new AtomicReference<>(Duration.ZERO);
    InstantSource source = () -> Instant.now().plus(step.get());
    // So that the pair does not close before the clock is set.
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
      step.set(Duration.ofDays(1));
      live.segment(writer, 180, 100);
      // The pair counts as closed in between, so its end may be a block of its own.
      await("the third segment", () -> live.blocks(GROUP).size() >= 3);
    }
    await("all of it", () -> live.answer(GROUP).size() == 404);
    live.stop();
    assertThat(live.problems).isEmpty();
    assertThat(TestStores.verify(live.archive, live.storePath)).isEmpty();
    long events = 0;
    for (Block block : live.blocks(GROUP)) {
      events += block.summary().events();
    }
    assertThat(events).isLessThanOrEqualTo(404);
  }

  /** kblog makes one file after the other, and writes the record table then. */
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
    looksAgain(following);
    Path index = live.archive.pairs(GROUP).get(1).indexPath();
    Files.createFile(index);
    looksAgain(following);
    BackfillSummary summary =
        following.backfill(
            new BackfillRequest(List.of(GROUP), TimeRange.ALL, 0), new TestStores.Quiet());
    assertThat(summary.problems()).isZero();
    assertThat(live.problems).isEmpty();
    live.stop();
    assertThat(TestStores.backfill(seen, live.storePath).problems()).isZero();
  }

  /** A group that appears is in columns after the next looks at all of them. */
  private void looksAgain(FollowService following) throws Exception {
    Group late = new Group("RF", "L" + following.groups().size());
    try (LogWriter writer = live.pair(late, 0)) {
      live.segment(writer, 0, 10);
      live.segment(writer, 60, 10);
    }
    await("another group", () -> live.coveredBytes(late) > 0);
  }
}
