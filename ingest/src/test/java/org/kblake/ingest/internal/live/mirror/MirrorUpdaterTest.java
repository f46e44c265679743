package org.kblake.ingest.internal.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.FIRST;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.GROUP;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.OTHER;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.SECOND;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupRegistry;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.pace.VolumeQueue;

/** The groups that have copies, and the turns in which these copies are updated. */
final class MirrorUpdaterTest {

  @TempDir private Path directory;

  /** One thread, so that the turns of a round end before what is submitted behind them. */
  private final ThreadPoolExecutor pollThreads =
      new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());

  private MirrorFixture fixture = new MirrorFixture(Path.of(""));

  @BeforeEach
  void makeFixture() {
    fixture = new MirrorFixture(directory);
  }

  @AfterEach
  void close() throws Exception {
    pollThreads.shutdown();
    fixture.close();
  }

  /** The groups of a test. No other thread works on them. */
  private record Groups(List<GroupWork> all) implements GroupRegistry {
    @Override
    public List<GroupWork> worked() {
      return all;
    }

    @Override
    public boolean exclusively(GroupWork group, Work work)
        throws IOException, InterruptedException {
      work.run();
      return true;
    }
  }

  private MirrorUpdater updater(FollowContext context, GroupWork... groups) {
    return new MirrorUpdater(context, new Groups(List.of(groups)), new VolumeQueue(pollThreads));
  }

  /** Updates the copies of all groups and waits for the end. */
  private void round(MirrorUpdater mirroring) throws IOException, InterruptedException {
    mirroring.run();
    try {
      Object unused = pollThreads.submit(() -> {}).get(1, TimeUnit.MINUTES);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void onlyFollowedGroupsHaveCopies() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    fixture.write(OTHER, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of(OTHER, Mode.ON_READ));
    MirrorUpdater mirroring = updater(context, work(context, GROUP), work(context, OTHER));
    round(mirroring);
    round(mirroring);
    round(mirroring);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(Files.size(fixture.log(GROUP, FIRST)));
    assertThat(fixture.copied(OTHER, FIRST)).isEqualTo(-1);
    assertThat(mirroring.bytes()).isGreaterThan(Files.size(fixture.log(GROUP, FIRST)));
    assertThat(fixture.room.besideBytes()).isEqualTo(mirroring.bytes());
    assertThat(mirroring.isBusy(GROUP)).isFalse();
    assertThat(fixture.problems.messages()).isEmpty();
  }

  /** The settings differ from those of the process before. */
  @Test
  void copiesOfAGroupThatIsNoLongerFollowedAreRemoved() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    MirrorUpdater mirroring = updater(context, work(context, GROUP));
    round(mirroring);
    round(mirroring);
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
    context.store().close();
    FollowContext next = fixture.context(0, true, Map.of(GROUP, Mode.NEVER));
    round(updater(next, work(next, GROUP)));
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(-1);
  }

  @Test
  void storeNamesNoMirrorIfNoneIsConfigured() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    round(updater(context, work(context, GROUP)));
    assertThat(fixture.present()).isNotNull();
    context.store().close();
    FollowContext next = fixture.context(0, false, Map.of());
    round(updater(next, work(next, GROUP)));
    assertThat(fixture.present()).isNull();
  }

  /** Copies that take more than a quarter of the budget do not grow. Existing copies stay. */
  @Test
  void copiesTakeAQuarterOfTheBudget() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    long bytes = Files.size(fixture.log(GROUP, FIRST));
    // The size of the copies may be known at once. Therefore they are made without a budget.
    FollowContext context = fixture.context(0, true, Map.of());
    MirrorUpdater mirroring = updater(context, work(context, GROUP));
    for (int i = 0; i < 3; i++) {
      round(mirroring);
    }
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(bytes);
    assertThat(mirroring.bytes()).isGreaterThan(bytes);
    context.store().close();
    fixture.write(GROUP, SECOND, 2);
    FollowContext limited = fixture.context(4 * bytes, true, Map.of());
    MirrorUpdater full = updater(limited, work(limited, GROUP));
    for (int i = 0; i < 4; i++) {
      round(full);
    }
    // The size of the copies is known after the first update.
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(bytes);
    assertThat(fixture.problems.messages())
        .singleElement()
        .asString()
        .startsWith("mirror takes a quarter of the budget, it does not grow: budget=" + 4 * bytes);
  }

  /** The mirror is at the limit, not above it. */
  @Test
  void copiesOfExactlyAQuarterOfTheBudgetMayGrow() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    MirrorUpdater mirroring = updater(context, work(context, GROUP));
    for (int i = 0; i < 3; i++) {
      round(mirroring);
    }
    long quarter = mirroring.bytes();
    context.store().close();
    for (long budget : new long[] {4 * quarter - 1, 4 * quarter}) {
      FollowContext next = fixture.context(budget, true, Map.of());
      MirrorUpdater limited = updater(next, work(next, GROUP));
      for (int i = 0; i < 3; i++) {
        round(limited);
      }
      assertThat(limited.bytes()).isEqualTo(quarter);
      assertThat(fixture.problems.messages()).hasSize(budget < 4 * quarter ? 1 : 0);
      next.store().close();
    }
  }

  @Test
  void copiesOfAGroupThatTheSettingsDoNotNameAreRemoved() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    fixture.write(OTHER, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    MirrorUpdater mirroring = updater(context, work(context, GROUP), work(context, OTHER));
    round(mirroring);
    round(mirroring);
    context.store().close();
    fixture.groups = List.of(GROUP);
    round(updater(fixture.context(0, true, Map.of())));
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
    assertThat(fixture.copied(OTHER, FIRST)).isEqualTo(-1);
  }

  /** Its volume may be away. */
  @Test
  void copiesOfAGroupThatTheArchiveDoesNotShowStay() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    MirrorUpdater mirroring = updater(context, work(context, GROUP));
    round(mirroring);
    round(mirroring);
    context.store().close();
    round(updater(fixture.context(0, true, Map.of())));
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
  }

  /** Until its blocks are listed it is unknown which bytes need a copy. */
  @Test
  void groupWhoseBlocksAreNotListedYetIsNotCopied() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    GroupWork work = new GroupWork(context, GROUP);
    boolean unused = work.poll();
    MirrorUpdater mirroring = updater(context, work);
    round(mirroring);
    round(mirroring);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(-1);
    work.refresh();
    round(mirroring);
    round(mirroring);
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
  }

  /** A disk may be replaced by an empty one. */
  @Test
  void mirrorThatIsTakenAwayIsMadeAgain() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    MirrorUpdater mirroring = updater(context, work(context, GROUP));
    round(mirroring);
    round(mirroring);
    Files.move(fixture.mirror, directory.resolve("away"));
    round(mirroring);
    assertThat(fixture.copied(GROUP, FIRST)).isZero();
    round(mirroring);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(Files.size(fixture.log(GROUP, FIRST)));
    assertThat(fixture.problems.messages()).isEmpty();
  }

  /** The store is not searched for a mirror in each turn. */
  @Test
  void mirrorThatIsNotWantedIsEndedOnce() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    MirrorUpdater mirroring = updater(fixture.context(0, false, Map.of()));
    round(mirroring);
    Mirror unused = Mirror.make(fixture.store, fixture.mirror);
    round(mirroring);
    assertThat(fixture.present()).isNotNull();
  }

  /**
   * A volume that does not respond blocks a thread for a long time. Other updates of the group
   * would wait for it.
   */
  @Test
  void groupHasOneTurnAtATime() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    MirrorUpdater mirroring = updater(context, work(context, GROUP));
    CountDownLatch release = new CountDownLatch(1);
    Future<Boolean> blocked = pollThreads.submit(() -> release.await(1, TimeUnit.MINUTES));
    mirroring.run();
    mirroring.run();
    assertThat(pollThreads.getQueue()).hasSize(1);
    assertThat(mirroring.isBusy(GROUP)).isTrue();
    assertThat(mirroring.isBusy(OTHER)).isFalse();
    release.countDown();
    assertThat(blocked.get()).isTrue();
    round(mirroring);
    assertThat(mirroring.isBusy(GROUP)).isFalse();
  }

  /** The service ends while turns are begun. */
  @Test
  void groupIsNotBusyWithATurnThatWasRejected() throws Exception {
    fixture.write(GROUP, FIRST, 2);
    FollowContext context = fixture.context(0, true, Map.of());
    MirrorUpdater mirroring = updater(context, work(context, GROUP));
    pollThreads.shutdown();
    mirroring.run();
    assertThat(mirroring.isBusy(GROUP)).isFalse();
  }
}
