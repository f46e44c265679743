package org.kblake.ship.work;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads that ship groups. The queue has the groups that no thread works on, and so never more
 * than there are groups. A thread reads only what it sends at once, so memory is that of a batch a
 * group. Groups without new events are looked at every period, each at its own phase of it. When
 * groups are followed, new ones are asked for now and then.
 */
public final class Workers {

  private static final long GRACE_SECONDS = 5;

  /** The number of periods after which new groups are asked for: a minute by default. */
  private static final int PERIODS = 60;

  private final int threads;
  private final long everyNanos;
  private final boolean follow;
  private final @Nullable CorePlacement placement;
  private final DelayQueue<Turn> queue = new DelayQueue<>();
  private final AtomicInteger left = new AtomicInteger();
  private volatile boolean stopping;

  /** The work on one group. */
  public interface Work {

    /**
     * Delivers some events.
     *
     * @return false if there is none at present
     */
    boolean step() throws IOException, InterruptedException;
  }

  /** Finds work. */
  public interface Finding {

    /** Returns what was not returned before. */
    List<? extends Work> find() throws IOException;
  }

  /**
   * When a group is due.
   *
   * @param phaseNanos a time of its phase, as {@link System#nanoTime} counts
   */
  record Turn(Work group, long phaseNanos, long dueNanos) implements Delayed {

    /**
     * The inverse of the golden ratio: its multiples, modulo 1, keep apart however many they are.
     */
    private static final double APART = (Math.sqrt(5) - 1) / 2;

    /** Returns the first turn of the group with a number. */
    static Turn first(Work group, int number, long nowNanos, long everyNanos) {
      double turns = number * APART;
      long phase = nowNanos + (long) ((turns - Math.floor(turns)) * everyNanos);
      return new Turn(group, phase, phase);
    }

    /** Returns the turn that is due now, because there may be more events. */
    Turn now(long nowNanos) {
      return new Turn(group, phaseNanos, nowNanos);
    }

    /** Returns the next turn at the group's phase. */
    Turn later(long nowNanos, long everyNanos) {
      long periods = Math.floorDiv(nowNanos - phaseNanos, everyNanos) + 1;
      return new Turn(group, phaseNanos, phaseNanos + periods * everyNanos);
    }

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
  public void run(Finding groups) throws IOException, InterruptedException {
    add(groups);
    AtomicInteger number = new AtomicInteger();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, work -> new Thread(work, "ship-" + number.incrementAndGet()));
    try {
      CompletionService<Integer> ended = new ExecutorCompletionService<>(pool);
      for (int i = 0; i < threads; i++) {
        var unused = ended.submit(this::work);
      }
      for (int running = threads; running > 0; ) {
        Future<Integer> end = ended.poll(PERIODS * everyNanos, TimeUnit.NANOSECONDS);
        if (end != null) {
          var unused = end.get();
          running--;
        } else if (follow) {
          add(groups);
        }
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

  private void add(Finding groups) throws IOException {
    long now = System.nanoTime();
    for (Work each : groups.find()) {
      queue.add(Turn.first(each, left.getAndIncrement(), now, follow ? everyNanos : 0));
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
        queue.add(turn.now(System.nanoTime()));
      } else if (follow) {
        queue.add(turn.later(System.nanoTime(), everyNanos));
      } else {
        left.decrementAndGet();
      }
    }
    return steps;
  }
}
