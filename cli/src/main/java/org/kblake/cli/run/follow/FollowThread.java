package org.kblake.cli.run.follow;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.status.RunCounters;
import org.kblake.core.internal.store.Store;
import org.kblake.ingest.internal.live.FollowService;

/** {@link FollowService} on its own thread, until it is to end. */
public final class FollowThread {

  private static final String LAKE = "lake";

  /** As long as a volume takes to count as silent. */
  public static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

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
   * Begins.
   *
   * @param before what was followed before, and left; null at the beginning
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
   * Looks whether it continues.
   *
   * @throws IOException if the store cannot be followed any more
   */
  public void check() throws IOException {
    if (!thread.isAlive()) {
      IOException reason = failure;
      throw reason == null ? new IOException("following has ended unexpectedly") : reason;
    }
  }

  /**
   * Ends it for another one to take over. Threads that have not ended after {@link #STOP_TIMEOUT}
   * are left behind, as those that a silent volume keeps waiting: their work is not continued
   * before they end.
   */
  public void leave() throws InterruptedException {
    service.leave();
    thread.interrupt();
    thread.join(STOP_TIMEOUT.toMillis());
  }

  /** Has it end; does not wait. */
  public void end() {
    thread.interrupt();
  }

  /**
   * Waits until nothing is written any more, even if the calling thread is interrupted. Work that
   * is under way ends when it can, however long that takes. Only where a silent volume keeps a
   * thread waiting the wait has a limit.
   *
   * @param untilNanos what can end until then may do so where a volume is silent, as {@link
   *     System#nanoTime} counts
   * @return false if a thread waits for a silent volume: it continues when the volume answers
   */
  public boolean awaitEnd(long untilNanos) {
    boolean interrupted = false;
    while (thread.isAlive() && (untilNanos - System.nanoTime() > 0 || !service.isHeldUp())) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, LOOK_NANOS);
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
