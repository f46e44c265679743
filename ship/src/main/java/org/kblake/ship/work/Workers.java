package org.kblake.ship.work;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads that ship groups. The queue has the groups that no thread works on, and so never more
 * than there are groups. A thread reads only what it sends at once, so memory is that of a batch a
 * group. Groups without new events are looked at every period, each at its own phase of it.
 */
public final class Workers {

  private static final long GRACE_SECONDS = 5;

  private final int threads;
  private final long everyNanos;
  private final boolean follow;
  private final @Nullable CorePlacement placement;
  private final DelayQueue<Turn> queue = new DelayQueue<>();
  private final AtomicInteger left = new AtomicInteger();
  private volatile boolean stopping;

  private record Turn(GroupShipment group, long dueNanos) implements Delayed {

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return other instanceof Turn turn ? Long.signum(dueNanos - turn.dueNanos) : 0;
    }
  }

  /**
   * @param everyNanos the period in which a group without new events is looked at
   * @param follow whether to go on when all events are shipped
   * @param placement moves the threads to cores; null to leave that to the system
   */
  public Workers(int threads, long everyNanos, boolean follow, @Nullable CorePlacement placement) {
    this.threads = threads;
    this.everyNanos = everyNanos;
    this.follow = follow;
    this.placement = placement;
  }

  /**
   * Ships groups until all events are shipped, a thread fails, or the caller is interrupted. All
   * threads have ended then.
   */
  public void run(List<GroupShipment> groups) throws IOException, InterruptedException {
    left.set(groups.size());
    long now = System.nanoTime();
    for (int i = 0; i < groups.size(); i++) {
      long phase = follow ? everyNanos / groups.size() * i : 0;
      queue.add(new Turn(groups.get(i), now + phase));
    }
    AtomicInteger number = new AtomicInteger();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, work -> new Thread(work, "ship-" + number.incrementAndGet()));
    try {
      CompletionService<Integer> ended = new ExecutorCompletionService<>(pool);
      List<Object> submitted = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        submitted.add(ended.submit(this::work));
      }
      for (int i = 0; i < submitted.size(); i++) {
        var unused = ended.take().get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      stopping = true;
      pool.shutdown();
      end(pool);
    }
  }

  /** Waits for the present batches, so that their states are written, but not for long. */
  private static void end(ExecutorService pool) throws InterruptedException {
    if (!pool.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS)) {
      do {
        pool.shutdownNow();
      } while (!pool.awaitTermination(1, TimeUnit.SECONDS));
    }
  }

  private int work() throws IOException, InterruptedException {
    int steps = 0;
    while (left.get() > 0 && !stopping) {
      Turn turn = queue.poll(100, TimeUnit.MILLISECONDS);
      if (turn == null) {
        continue;
      }
      if (placement != null) {
        placement.place();
      }
      steps++;
      if (turn.group.step()) {
        queue.add(new Turn(turn.group, System.nanoTime()));
      } else if (follow) {
        queue.add(new Turn(turn.group, nextPhase(turn.dueNanos)));
      } else {
        left.decrementAndGet();
      }
    }
    return steps;
  }

  /** Returns the next time at the same phase of the period. */
  private long nextPhase(long dueNanos) {
    long late = System.nanoTime() - dueNanos;
    return dueNanos + (late / everyNanos + 1) * everyNanos;
  }
}
