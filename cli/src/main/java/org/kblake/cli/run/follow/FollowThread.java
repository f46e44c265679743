package org.kblake.cli.run.follow;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.status.RunCounters;
import org.kblake.core.internal.store.Store;
import org.kblake.ingest.internal.live.FollowService;

/** A {@link FollowService} on its own thread. */
public final class FollowThread {

  private static final String LAKE = "lake";

  /**
   * The limit of waits for threads, equal to the time after which a volume counts as unresponsive.
   */
  public static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final FollowService service;
  private final Thread thread;

  private volatile @Nullable IOException failure;

  private FollowThread(FollowService service) {
    this.service = service;
    thread = new Thread(this::run, "kblake-follow");
  }

  private void run() {
    try {
      service.run();
    } catch (IOException e) {
      failure = e;
    }
  }

  /**
   * Starts to follow.
   *
   * @param before the thread with the previous settings, after {@link #endBeforeNext}; null at the
   *     start of the process
   */
  public static FollowThread start(
      RunPlan plan, Store store, RunCounters counters, Clock clock, @Nullable FollowThread before) {
    boolean lake = store.identity().profile().equals(LAKE);
    FollowThread following =
        new FollowThread(
            new FollowService(
                plan.archive(),
                store,
                plan.followSettings(lake),
                counters.counters(),
                counters,
                clock,
                before == null ? null : before.service.remaining()));
    following.thread.start();
    return following;
  }

  public boolean hasEnded() {
    return !thread.isAlive();
  }

  public FollowService service() {
    return service;
  }

  /**
   * Checks that the thread still runs.
   *
   * @throws IOException if following has failed
   */
  public void check() throws IOException {
    if (!thread.isAlive()) {
      IOException reason = failure;
      throw reason == null ? new IOException("following has ended unexpectedly") : reason;
    }
  }

  /**
   * Ends the service before another one starts. Threads that have not ended after {@link
   * #STOP_TIMEOUT} wait for an unresponsive volume, and continue to run. The next service does not
   * follow their groups before they end.
   */
  public void endBeforeNext() throws InterruptedException {
    service.stopNewWork();
    thread.interrupt();
    thread.join(STOP_TIMEOUT.toMillis());
  }

  /** Requests the end. Returns at once. */
  public void end() {
    thread.interrupt();
  }

  /**
   * Waits until all writes have ended, even if the calling thread is interrupted. The wait for
   * present work has no limit, unless a thread waits for an unresponsive volume.
   *
   * @param untilNanos the end of the wait if a volume is unresponsive, in the time of {@link
   *     System#nanoTime}
   * @return false if a thread still waits for an unresponsive volume; it continues when the volume
   *     responds
   */
  public boolean awaitEnd(long untilNanos) {
    boolean interrupted = false;
    while (thread.isAlive() && (untilNanos - System.nanoTime() > 0 || !service.isHeldUp())) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, POLL_NANOS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return hasEnded();
  }
}
