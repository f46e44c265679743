package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.Coverage;
import org.kblake.core.model.Group;
import org.kblake.core.model.StoreGroups;
import org.kblake.ingest.internal.backfill.BackfillListener;
import org.kblake.ingest.internal.backfill.BackfillProgress;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.ingest.internal.image.BlockCheck;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.PlanSteps;
import org.kblake.ingest.internal.live.group.RequestedWork;
import org.kblake.ingest.internal.live.state.BackfillRequest;
import org.kblake.ingest.internal.live.state.BudgetHeadroom;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.pace.PacedAccess;
import org.kblake.ingest.internal.pace.RateLimit;
import org.kblake.ingest.internal.transcode.BackfillPlan;

/**
 * A backfill that a running process does while following continues. It proceeds group after group.
 * The workers of the process do its steps, so that threads and memory do not grow. It also makes
 * evicted blocks again. If there is a budget, it uses the headroom. If blocks are evicted by their
 * last read, it takes up to half of the budget, and other blocks are evicted for it.
 */
final class RequestedBackfill {

  /** Under a rate limit, a step reads as much as the limit allows in this many seconds. */
  private static final int STEP_SECONDS = 2;

  /**
   * A step is at most the log that fits into the budget, divided by this number. The store exceeds
   * its budget by less than a step.
   */
  private static final int MIN_STEPS = 20;

  /** After this many updates of the headroom, all blocks that can be evicted are evicted. */
  private static final int MAX_UPDATES = 2;

  private final FollowContext context;
  private final Archive listed;
  private final PendingAccesses pending;
  private final UnresponsiveGroups unresponsive;
  private final ExecutorService pollThreads;
  private final FollowedGroups groups;
  private final BudgetHeadroom headroom;
  private final boolean evicting;
  private final boolean retaining;

  /**
   * @param listed the archive, with an access that has a time limit for directories
   * @param pollThreads runs the planning; has a thread for each group that waits for its volume
   */
  RequestedBackfill(
      FollowContext context,
      Archive listed,
      PendingAccesses pending,
      UnresponsiveGroups unresponsive,
      ExecutorService pollThreads,
      FollowedGroups groups) {
    this.context = context;
    this.listed = listed;
    this.pending = pending;
    this.unresponsive = unresponsive;
    this.pollThreads = pollThreads;
    this.groups = groups;
    headroom = context.headroom();
    CacheSettings cache = context.settings().cache();
    retaining = cache.retain();
    evicting = !cache.retain() && cache.eviction() == Eviction.LEAST_RECENTLY_USED;
  }

  /**
   * Removes what the store keeps of a group.
   *
   * @throws IllegalArgumentException if the group must not be forgotten; the message has the reason
   */
  void forget(Group group, boolean force) throws IOException, InterruptedException {
    String refusal = GroupRemoval.refusal(listed, group, retaining, force);
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    }
    groups.forget(
        group,
        context.store().directoryOf(group),
        () -> GroupRemoval.remove(context.store(), context.evicted(), group));
  }

  /** Returns the groups that the archive shows now. */
  ArchiveGroups shownGroups() throws IOException {
    return listed.shownGroups();
  }

  /**
   * Runs the backfill, and returns when it is done.
   *
   * @throws IOException if the archive cannot be listed or the store cannot be written; blocks made
   *     before stay
   * @throws InterruptedException if interrupted; blocks made before stay, and no more are begun
   */
  BackfillSummary run(BackfillRequest request, BackfillListener listener)
      throws IOException, InterruptedException {
    try {
      return inSteps(request, listener);
    } catch (RejectedExecutionException e) {
      throw new InterruptedException("the process ends");
    }
  }

  private BackfillSummary inSteps(BackfillRequest request, BackfillListener listener)
      throws IOException, InterruptedException {
    BackfillProgress progress = new BackfillProgress(listener);
    List<BackfillPlan> plans = plans(request, progress);
    listener.planned(plans.stream().mapToLong(BackfillPlan::bytes).sum());
    groups.removeUnfollowed();
    long most = mostBytes(request);
    long leftBytes = allowedBytes();
    boolean full = false;
    for (BackfillPlan plan : plans) {
      PlanSteps steps = new PlanSteps(plan);
      boolean answers = true;
      while (answers && !steps.done() && !full) {
        long before = steps.leftBytes();
        long bytes = awaitHeadroom(Math.min(before, most), leftBytes);
        if (bytes == 0) {
          full = true;
        } else {
          RequestedWork work =
              new RequestedWork(group -> group.transcodeNext(steps, bytes, progress));
          groups.request(plan.group(), work);
          answers = work.await(end -> unresponsive.await(plan.group(), end));
          if (answers) {
            headroom.take(before - steps.leftBytes());
            leftBytes -= before - steps.leftBytes();
          }
        }
      }
      if (!answers) {
        progress.problem(plan.group(), UnresponsiveGroups.message(plan.group()));
      } else if (!steps.done()) {
        progress.problem(
            plan.group(),
            "no space within the budget: group="
                + plan.group()
                + ", skipped bytes of log="
                + steps.leftBytes());
      }
    }
    return progress.summary(plans.stream().mapToLong(BackfillPlan::coveredBytes).sum());
  }

  private List<BackfillPlan> plans(BackfillRequest request, BackfillProgress progress)
      throws IOException, InterruptedException {
    try {
      return plansOf(request, progress);
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      boolean unused = Thread.interrupted();
      throw new InterruptedException(e.getMessage());
    }
  }

  private List<BackfillPlan> plansOf(BackfillRequest request, BackfillProgress progress)
      throws IOException, InterruptedException {
    // Pairs are read at the pace of the archive that listed them, so the paced archive lists them.
    Archive paced =
        pending.of(
            PacedAccess.of(
                context.archive(),
                new RateLimit(request.ioLimitBytesPerSecond(), context.settings().times().time())));
    List<BackfillPlan> plans = new ArrayList<>();
    PairSnapshots snapshots = new PairSnapshots();
    for (Group group : request.groups().isEmpty() ? knownGroups(progress) : request.groups()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Coverage coverage;
      try {
        // The work on the group reports and repairs damaged blocks.
        coverage = Block.coverage(context.store().blocks(group, problem -> {}));
      } catch (IOException e) {
        progress.problem(group, BlockCheck.unreadable(e));
        continue;
      }
      List<String> found = new ArrayList<>();
      boolean known = !retaining && context.store().has(group);
      BackfillPlan plan =
          planned(
              group,
              () ->
                  BackfillPlan.of(
                      paced, group, known, request.range(), coverage, snapshots, found::add));
      if (plan == null) {
        progress.problem(group, UnresponsiveGroups.message(group));
      } else {
        found.forEach(problem -> progress.problem(group, problem));
        plans.add(plan);
      }
    }
    return plans;
  }

  /** Returns a group's plan; null if its volume does not answer. */
  private @Nullable BackfillPlan planned(Group group, Callable<BackfillPlan> planning)
      throws IOException, InterruptedException {
    if (unresponsive.contains(group)) {
      return null;
    }
    Future<BackfillPlan> plan = pollThreads.submit(planning);
    try {
      return unresponsive.await(group, plan) ? plan.get() : null;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IllegalStateException("planning failed: " + e.getCause(), e.getCause());
    } finally {
      plan.cancel(true);
    }
  }

  /**
   * Returns the groups of the archive, and those of the store that it does not show, unless the
   * store replaces the logs.
   */
  private Set<Group> knownGroups(BackfillProgress progress) throws IOException {
    ArchiveGroups shown = shownGroups();
    shown
        .unlisted()
        .values()
        .forEach(why -> progress.problem(Problems.ARCHIVE, String.valueOf(why.getMessage())));
    Set<Group> known = new LinkedHashSet<>(shown.groups());
    if (!retaining) {
      StoreGroups stored = context.store().listedGroups();
      stored.unlisted().values().forEach(why -> progress.problem(Problems.ARCHIVE, why));
      known.addAll(stored.groups());
    }
    return known;
  }

  private long mostBytes(BackfillRequest request) {
    long most = RequestedWork.MAX_BYTES;
    for (long limit :
        new long[] {request.ioLimitBytesPerSecond(), context.settings().ioLimitBytesPerSecond()}) {
      most = limit == 0 || limit >= most / STEP_SECONDS ? most : limit * STEP_SECONDS;
    }
    return most;
  }

  /**
   * Returns the bytes of log that this backfill may put into columns in total. Its later blocks
   * must not evict its earlier ones.
   */
  private long allowedBytes() throws InterruptedException {
    if (!headroom.isKnown()) {
      headroom.awaitUpdate();
    }
    return evicting
        ? Math.max(headroom.logBytes(), headroom.wholeLogBytes() / 2)
        : headroom.logBytes();
  }

  /**
   * Waits until there is headroom for a step.
   *
   * @param mostBytes the largest step, in bytes of log
   * @param leftBytes bytes of log that this backfill may still put into columns
   * @return the bytes of log of the step; 0 if there is no headroom and there will be none
   */
  private long awaitHeadroom(long mostBytes, long leftBytes) throws InterruptedException {
    long bytes = Math.max(1, Math.min(mostBytes, headroom.wholeLogBytes() / MIN_STEPS));
    for (int update = 0; update <= MAX_UPDATES && bytes <= leftBytes; update++) {
      if (bytes <= headroom.logBytes() || evicting && !headroom.overdrawn()) {
        return bytes;
      }
      headroom.awaitUpdate();
    }
    return 0;
  }
}
