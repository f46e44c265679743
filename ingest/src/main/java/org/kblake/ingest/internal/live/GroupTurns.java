package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.util.Comparator;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.ingest.internal.pace.VolumeQueue;

/**
 * The turns of groups: the polls, on threads that may wait for a volume, and the work that is due,
 * on workers. At most one thread works on a group. Safe for many threads.
 */
final class GroupTurns {

  private static final String WORK = "work";

  private final FollowSettings settings;
  private final Problems problems;
  private final ScheduledExecutorService ticks;
  private final VolumeQueue polls;
  private final ExecutorService workers;
  private final AtomicLong jobs = new AtomicLong();
  private volatile boolean leaving;

  /**
   * @param ticks runs the timers; its tasks never wait
   * @param polls runs the polls
   * @param workers run the work that is due: see {@link #workers}
   */
  GroupTurns(
      FollowContext context,
      ScheduledExecutorService ticks,
      VolumeQueue polls,
      ExecutorService workers) {
    settings = context.settings();
    problems = context.problems();
    this.ticks = ticks;
    this.polls = polls;
    this.workers = workers;
  }

  /** Begins no more work. Running work continues. */
  void stopNewWork() {
    leaving = true;
  }

  /** Returns whether no more work begins. */
  boolean isEnding() {
    return leaving;
  }

  /** Lets a worker do the requested work of a group, unless a thread works on it. */
  void doAsked(FollowedGroup group) {
    if (!group.unfollowed) {
      tick(group);
    } else if (group.busy.compareAndSet(false, true)) {
      work(group);
    }
  }

  /** Polls a group, unless it is delayed. If a thread works on it, its files are only probed. */
  void tick(FollowedGroup group) {
    if (leaving || group.isDelayed()) {
      return;
    }
    String directory = group.work.group().system();
    if (group.busy.compareAndSet(false, true)) {
      group.queuePoll();
      polls.execute(directory, () -> poll(group));
    } else {
      group.probe(task -> polls.execute(directory, task), polls::isShutdown);
    }
  }

  private void poll(FollowedGroup group) {
    boolean handedOver = false;
    try {
      if (leaving || polls.isShutdown()) {
        return;
      }
      group.beginPoll();
      boolean due = group.work.poll();
      group.endLook();
      if (due) {
        work(group);
        handedOver = true;
      }
    } catch (RejectedExecutionException e) {
      // The process ends.
    } catch (RuntimeException e) {
      failed(group, e);
    } finally {
      group.endPoll();
      if (!handedOver) {
        free(group);
      }
    }
  }

  /** Marks a group as idle. If its files changed in the meantime, begins a poll. */
  void free(FollowedGroup group) {
    group.busy.set(false);
    if (group.woken && !polls.isShutdown()) {
      tick(group);
    }
  }

  private void run(FollowedGroup group) {
    if (workers.isShutdown()) {
      free(group);
      return;
    }
    try {
      boolean first = !group.work.isListed();
      group.work.run();
      problems.end(group.work.group(), WORK);
      if (first && !group.unfollowed) {
        // This job only listed the blocks.
        group.woken = true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      if (!Thread.currentThread().isInterrupted()) {
        failed(group, e);
      }
    } finally {
      free(group);
      if (group.work.hasRequest() && !workers.isShutdown()) {
        doAsked(group);
      }
    }
  }

  /**
   * Delays the work on a group that failed. Other groups continue, because a full disk or a fault
   * of this program may concern this group only.
   */
  private void failed(FollowedGroup group, Exception e) {
    if (group.unfollowed || workers.isShutdown()) {
      // Work on an unfollowed group fails only on request, and the requester gets the error. At the
      // end of the process an error is expected.
      return;
    }
    long retryNanos = settings.times().retryNanos();
    group.notBeforeNanos = System.nanoTime() + retryNanos;
    if (settings.poll().toNanos() > retryNanos) {
      ScheduledFuture<?> unused =
          ticks.schedule(() -> tick(group), retryNanos, TimeUnit.NANOSECONDS);
    }
    String reason = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
    problems.beginOfStore(
        group.work.group(),
        WORK,
        "work failed, it will be repeated: group=" + group.work.group() + ", " + reason);
  }

  private void work(FollowedGroup group) {
    try {
      workers.execute(new Job(!group.work.isListed(), jobs.getAndIncrement(), () -> run(group)));
    } catch (RejectedExecutionException e) {
      // The process ends.
      free(group);
    }
  }

  /**
   * Returns workers for the jobs of groups. The blocks of all groups are listed before other work
   * begins, because the process is ready when they are. A job that is run after the workers were
   * shut down only marks its group as idle.
   */
  static ExecutorService workers(int threads) {
    return new ThreadPoolExecutor(
        threads,
        threads,
        0,
        TimeUnit.SECONDS,
        new PriorityBlockingQueue<>(),
        Threads.named("kblake-work-"));
  }

  /**
   * A job of a worker.
   *
   * @param lists whether it only lists the blocks of its group
   * @param number the number of jobs before it
   */
  private record Job(boolean lists, long number, Runnable work)
      implements Runnable, Comparable<Job> {

    private static final Comparator<Job> ORDER =
        Comparator.comparing((Job job) -> !job.lists).thenComparingLong(Job::number);

    @Override
    public int compareTo(Job other) {
      return ORDER.compare(this, other);
    }

    @Override
    public void run() {
      work.run();
    }
  }
}
