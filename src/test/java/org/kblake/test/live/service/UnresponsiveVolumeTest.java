package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.BackfillListener;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.BackfillRequest;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.FollowTimes;
import org.kblake.ingest.internal.live.state.GroupState;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;
import org.kblake.test.fixture.volume.GuardedProvider;

/** Tests the statements of docs/operations.md about volumes that do not answer. */
final class UnresponsiveVolumeTest extends FollowedArchive {

  private static final Group OTHER = new Group("RF", "AnalogData");

  /** More groups than any likely number of threads. */
  private static final int UNRESPONSIVE_GROUPS = 40;

  /** Settings with one thread that detect unresponsive volumes soon. */
  private static final FollowSettings SHORT_LIMIT = shortLimit(1, CacheSettings.EVERYTHING);

  private static FollowSettings shortLimit(int threads, CacheSettings cache) {
    return FollowServiceFixture.undisturbed(threads, cache).with(FollowServiceFixture.SHORT_TIMES);
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

  @Test
  void unresponsiveVolumeDelaysItsOwnGroupsOnly() throws Exception {
    for (int i = 0; i < UNRESPONSIVE_GROUPS; i++) {
      try (LogWriter writer = live.pair(new Group("VA", "G" + i), 0)) {
        live.segment(writer, 0, 10);
      }
    }
    Group unresponsive = new Group("VA", "G0");
    GuardedProvider volumes = volumes();
    Archive seen = Archive.open(volumes.path(live.root), live.archive.settings());
    try (LogWriter writer = live.pair(OTHER, 0)) {
      live.segment(writer, 0, 10);
    }
    FollowService following = live.start(seen, SHORT_LIMIT, new UnforcedFiles(), Clock.systemUTC());
    Group last = new Group("VA", "G" + (UNRESPONSIVE_GROUPS - 1));
    await("the unresponsive volume's blocks", () -> live.coveredBytes(last) > 0);
    // All work is done, so no worker uses the volume when it stops answering.
    awaitNoMoreReads(volumes, following);
    await("the first poll", following::ready);

    volumes.stall(live.root.resolve("VA"));
    long covered = live.coveredBytes(OTHER);
    try (LogWriter writer = live.pair(OTHER, 60)) {
      live.segment(writer, 60, 10);
      live.segment(writer, 120, 10);
    }
    await("the other volume's blocks", () -> live.coveredBytes(OTHER) > covered);

    String problem = "archive does not answer: group=" + unresponsive;
    await("the problem", () -> following.problems().contains(problem));
    GroupState state = state(following, unresponsive);
    long inAMinute = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    assertThat(state.behindNanos()).isZero();
    assertThat(state.lagNanos(inAMinute)).isGreaterThan(TimeUnit.MINUTES.toNanos(1));
    assertThat(state(following, OTHER).lagNanos(inAMinute - TimeUnit.MINUTES.toNanos(1)))
        .isLessThan(TimeUnit.MINUTES.toNanos(5));

    assertThat(following.overdue()).isEmpty();
    volumes.answer();
    await("the end of the problem", () -> live.over.contains(problem));
    await("no more lag", () -> state(following, unresponsive).lagNanos(System.nanoTime()) == 0);
    assertThat(live.answer(OTHER)).hasSize(33);
  }

  /**
   * Waits until no file is opened although each group is polled, and all work that is due is done.
   */
  private static void awaitNoMoreReads(GuardedProvider volumes, FollowService following)
      throws Exception {
    await(
        "no work there",
        () -> {
          int opened = volumes.reads().size();
          awaitPolls(following);
          // Work that was found by the polls is done before the next polls.
          awaitPolls(following);
          return volumes.reads().size() == opened;
        });
  }

  private static void awaitPolls(FollowService following) throws Exception {
    long begin = System.nanoTime();
    await(
        "a poll of each group",
        () -> following.groups().stream().allMatch(each -> each.answeredNanos() > begin));
  }

  /** An error that no volume causes ends each poll of a group. Only a restart helps. */
  @Test
  void groupThatNoPollReachesIsOverdue() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 10);
    }
    AtomicBoolean broken = new AtomicBoolean();
    FileAccess access =
        new FileAccess() {
          @Override
          public <T> T call(Path file, Call<T> call) throws IOException {
            if (broken.get() && !file.toString().contains(".log")) {
              throw new LinkageError("the test simulates a fault of the program");
            }
            return call.run();
          }
        };
    FollowTimes soon =
        new FollowTimes(
            TimeUnit.MILLISECONDS.toNanos(100),
            FollowServiceFixture.TIMES.retryNanos(),
            FollowServiceFixture.TIMES.listingNanos(),
            FollowServiceFixture.TIMES.time());
    FollowService following =
        live.start(
            live.archive.withAccess(access),
            FollowServiceFixture.undisturbed(1, CacheSettings.EVERYTHING).with(soon),
            new UnforcedFiles(),
            Clock.systemUTC());
    await("the first poll", following::ready);
    broken.set(true);
    try (LogWriter writer = live.pair(GROUP, 60)) {
      live.segment(writer, 60, 10);
    }
    await("the overdue group", () -> following.overdue().contains(GROUP.toString()));
    following.stopNewWork();
    assertThat(following.overdue()).isEmpty();
  }

  /**
   * Old pairs may be links to another volume. Their files are not polled once they are in blocks.
   */
  @Test
  void requestForACompletePairDelaysItsOwnGroupOnly() throws Exception {
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
        live.start(seen, shortLimit(1, never(OTHER)), new UnforcedFiles(), Clock.systemUTC());
    Path old = live.archive.pairs(GROUP).get(0).indexPath();
    long bytes = TestStores.logBytes(live.archive, GROUP);
    await("the blocks", () -> live.coveredBytes(GROUP) == bytes);
    awaitNoMoreReads(volumes, following);
    volumes.hang(old);
    assertRequestSkips(GROUP, following, new TestStores.Quiet());
    volumes.answer();
    await("an answer", () -> following.waiting().isEmpty() && following.problems().isEmpty());
  }

  /** The volume stops answering after the request was planned. */
  @Test
  void requestWhoseLogStopsRespondingDelaysItsOwnGroupOnly() throws Exception {
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
            seen, shortLimit(2, never(GROUP, OTHER)), new UnforcedFiles(), Clock.systemUTC());
    Path log = live.archive.pairs(GROUP).get(0).logPath();
    assertRequestSkips(
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

  /**
   * Requests a backfill of an unresponsive group and another one, and asserts that the unresponsive
   * one is skipped.
   */
  private void assertRequestSkips(
      Group unresponsive, FollowService following, BackfillListener listener) throws Exception {
    CompletableFuture<BackfillSummary> done = new CompletableFuture<>();
    Thread asker =
        new Thread(
            () -> {
              try {
                BackfillRequest request =
                    new BackfillRequest(List.of(unresponsive, OTHER), TimeRange.ALL, 0);
                done.complete(following.backfill(request, listener));
              } catch (IOException | InterruptedException | RuntimeException e) {
                done.completeExceptionally(e);
              }
            },
            "asker");
    asker.start();
    try {
      List<String> problem = List.of("archive does not answer: group=" + unresponsive);
      await("the unresponsive group", () -> following.problems().equals(problem));
      await("its mark", () -> following.waiting().equals(List.of(unresponsive.toString())));
      await("the end of the request", done::isDone);
      assertThat(done.get().problems()).isEqualTo(1);
      assertThat(live.coveredBytes(OTHER)).isEqualTo(TestStores.logBytes(live.archive, OTHER));
    } finally {
      asker.interrupt();
    }
  }

  /** The change of settings is the same as after SIGHUP: another service takes over. */
  @Test
  void newSettingsApplyToOtherVolumesWhileOneIsUnresponsive() throws Exception {
    GuardedProvider volumes = volumes();
    Archive seen = Archive.open(volumes.path(live.root), live.archive.settings());
    try (LogWriter writer = live.pair(GROUP, 0);
        LogWriter other = live.pair(OTHER, 0)) {
      live.segment(writer, 0, 10);
      live.segment(other, 0, 10);
    }
    FollowService before = live.start(seen, SHORT_LIMIT, new UnforcedFiles(), Clock.systemUTC());
    await("the blocks", () -> live.coveredBytes(GROUP) > 0 && live.coveredBytes(OTHER) > 0);
    await("the first poll", () -> before.ready() && before.waiting().isEmpty());
    assertThat(before.isHeldUp()).isFalse();
    volumes.hang(live.root.resolve("VA"));
    await("a poll that waits", () -> !volumes.waiting().isEmpty());
    FollowService after = live.takeOver(before, seen, SHORT_LIMIT);
    assertThat(before.ready()).isFalse();
    long covered = live.coveredBytes(OTHER);
    try (LogWriter writer = live.pair(OTHER, 60)) {
      live.segment(writer, 60, 10);
      live.segment(writer, 120, 10);
    }
    await("the other volume's blocks", () -> live.coveredBytes(OTHER) > covered);
    await(
        "the report of the unresponsive volume",
        () ->
            after.waiting().equals(List.of(GROUP.toString()))
                && after.problems().contains("archive does not answer: group=" + GROUP));
    await("a long wait", before::isHeldUp);
    volumes.answer();
    await("the unresponsive group", () -> after.ready() && after.waiting().isEmpty());
    await("the end of the problem", () -> after.problems().isEmpty());
    assertThat(live.answer(GROUP)).hasSize(11);
    assertThat(live.answer(OTHER)).hasSize(33);
  }

  /** The work on a group waits for the only worker when another service takes over. */
  @Test
  void aGroupWhoseWorkHasNotBegunIsFollowedByTheNextService() throws Exception {
    GuardedProvider volumes = volumes();
    Archive seen = Archive.open(volumes.path(live.root), live.archive.settings());
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 10);
      live.segment(writer, 60, 10);
    }
    CountDownLatch writing = new CountDownLatch(1);
    FollowService before =
        live.start(
            seen,
            SHORT_LIMIT,
            new UnforcedFiles() {
              @Override
              public Output create(Path file) throws IOException {
                if (file.toString().endsWith(".parquet") && writing.getCount() > 0) {
                  writing.countDown();
                  awaitInterrupt();
                }
                return super.create(file);
              }
            },
            Clock.systemUTC());
    assertThat(writing.await(1, TimeUnit.MINUTES)).isTrue();
    try (LogWriter other = live.pair(OTHER, 0)) {
      live.segment(other, 0, 10);
      live.segment(other, 60, 10);
    }
    await("the other group", () -> before.waiting().contains(OTHER.toString()));
    volumes.hang(live.root.resolve("VA"));
    await("a poll that waits", () -> !volumes.waiting().isEmpty());
    live.takeOver(before, seen, SHORT_LIMIT);
    await("the other group's blocks", () -> live.coveredBytes(OTHER) > 0);
  }

  private static void awaitInterrupt() throws IOException {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
