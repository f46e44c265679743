package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.mirror.MirrorUpdater;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.FollowTimes;
import org.kblake.ingest.internal.live.state.PeriodicTasks;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.ingest.internal.pace.VolumeQueue;

/** The threads that follow an archive, and their periodic tasks. */
final class FollowTasks {

  /**
   * The number of background threads: for trash, budget, other groups, verification, merges and the
   * mirror. None of these tasks waits for another one.
   */
  private static final int BACKGROUND_THREADS = 6;

  private static final long TRASH_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long MAX_KEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

  final UnresponsiveGroups unresponsive;
  final FollowedGroups groups;
  final Scrub scrub;
  final MirrorUpdater mirror;
  final RequestedBackfill requested;
  private final FollowContext context;
  private final BudgetKeeper keeper;
  private final BlockMerger merger;
  private final ChangeWatcher watcher;
  private final ScheduledExecutorService ticks =
      Executors.newSingleThreadScheduledExecutor(Threads.named("kblake-tick-"));

  /**
   * These threads may wait for unresponsive volumes. Tasks for single groups begin through a queue,
   * because there may be thousands of groups.
   */
  private final ExecutorService pollThreads =
      Executors.newCachedThreadPool(Threads.named("kblake-poll-"));

  private final VolumeQueue polls = new VolumeQueue(pollThreads);
  private final VolumeQueue copies = new VolumeQueue(pollThreads);
  private final ScheduledExecutorService background =
      Executors.newScheduledThreadPool(BACKGROUND_THREADS, Threads.named("kblake-background-"));
  private final ExecutorService workers;

  /**
   * @param context what all work has in common; its transcoder is closed by {@link #run}
   * @param pending the accesses of the archive that wait
   * @param held the groups on which a thread of another service still works
   */
  FollowTasks(FollowContext context, PendingAccesses pending, Predicate<Group> held)
      throws IOException {
    this.context = context;
    Archive archive = context.archive();
    FollowSettings settings = context.settings();
    workers = GroupTurns.workers(settings.threads());
    Archive timedArchive =
        archive.withAccess(new TimedDirectoryAccess(pollThreads, archive.access()));
    unresponsive =
        new UnresponsiveGroups(
            pending,
            polls,
            settings.times().responseLimitNanos(),
            settings.poll().toNanos(),
            context.problems());
    groups =
        new FollowedGroups(
            context,
            unresponsive,
            ticks,
            new GroupDiscovery(context, timedArchive, pollThreads),
            new GroupTurns(context, ticks, polls, workers),
            held);
    keeper = new BudgetKeeper(context, groups);
    scrub = new Scrub(context, groups);
    requested =
        new RequestedBackfill(context, timedArchive, pending, unresponsive, pollThreads, groups);
    merger = new BlockMerger(context, timedArchive, groups);
    mirror = new MirrorUpdater(context, groups, copies);
    watcher = new ChangeWatcher(archive, groups, context.problems());
  }

  /** Works until the calling thread is interrupted. After this returns, nothing is written. */
  void run() {
    try {
      begin();
      pollThreads.execute(watcher::run);
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // This is the request to end.
    } finally {
      ticks.shutdownNow();
      polls.shutdownNow();
      copies.shutdownNow();
      background.shutdownNow();
      workers.shutdownNow().forEach(Runnable::run); // each marks its group as idle
      context.transcoder().close();
      Threads.awaitEnd(workers);
      Threads.awaitEnd(background);
      Threads.awaitEnd(pollThreads);
    }
  }

  private void begin() {
    PeriodicTasks tasks = new PeriodicTasks(context.problems());
    FollowTimes times = context.settings().times();
    Store store = context.store();
    long pollNanos = context.settings().poll().toNanos();
    long keepNanos = Math.min(MAX_KEEP_NANOS, 10 * pollNanos);
    tasks.repeat(ticks, "groups cannot be listed", 0, times.listingNanos(), groups::discover);
    tasks.repeat(
        ticks,
        "unresponsive groups cannot be found",
        times.responseCheckNanos(),
        times.responseCheckNanos(),
        groups::updateUnresponsive);
    tasks.repeat(
        ticks,
        "late polls cannot be found",
        VolumeQueue.CHECK_NANOS,
        VolumeQueue.CHECK_NANOS,
        () -> {
          polls.findLate();
          copies.findLate();
        });
    tasks.repeat(background, "trash cannot be emptied", 0, TRASH_NANOS, store::emptyTrash);
    tasks.repeat(
        background,
        "blocks of other groups cannot be found",
        keepNanos,
        keepNanos,
        () -> groups.adopt(store.listedGroups().groups()));
    tasks.repeat(background, "budget cannot be kept", keepNanos, keepNanos, keeper::run);
    tasks.repeat(background, "blocks cannot be verified", keepNanos, keepNanos, scrub::run);
    tasks.repeat(background, "logs cannot be mirrored", 0, pollNanos, mirror::run);
    tasks.repeat(background, "blocks cannot be merged", keepNanos, keepNanos, merger::run);
  }

  /** Writes the state that the next process continues from. */
  void writeState() throws IOException {
    keeper.end();
    scrub.end();
  }
}
