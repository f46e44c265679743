package org.kblake.record.group;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.kblake.record.log.RecordClock;

/**
 * Does work with files that are no logs, one after the other in a thread of the disk. Work that
 * takes more than a second keeps its thread, and as many threads as such work has go on with the
 * rest, at most 64. For the polling thread.
 */
final class FileQueue {

  private static final long LATE_NANOS = 1_000_000_000;
  private static final int MOST_WORKERS = 64;

  private final GroupTasks tasks;
  private final RecordClock clock;
  private final Queue<Work> waiting = new ConcurrentLinkedQueue<>();

  /** Those that are not late. */
  private final Set<Worker> workers = new LinkedHashSet<>();

  private int late;

  /** Something to do, and what the polling thread does afterwards. */
  private record Work(Runnable task, Runnable end) {}

  /** A thread. */
  private final class Worker implements Runnable {
    private volatile long begunNanos = clock.monotonicNanos();
    private volatile boolean isLate;

    @Override
    public void run() {
      for (Work next = waiting.poll(); next != null; next = isLate ? null : waiting.poll()) {
        begunNanos = clock.monotonicNanos();
        try {
          next.task.run();
        } finally {
          tasks.ended(next.end);
        }
      }
    }

    private void end() {
      workers.remove(this);
      late -= isLate ? 1 : 0;
    }
  }

  FileQueue(GroupTasks tasks, RecordClock clock) {
    this.tasks = tasks;
    this.clock = clock;
  }

  /**
   * Adds work, which the next turn begins.
   *
   * @param task does not fail
   * @param end is done by the polling thread afterwards
   */
  void add(Runnable task, Runnable end) {
    waiting.add(new Work(task, end));
  }

  /** Begins what waits. */
  void turn() {
    long now = clock.monotonicNanos();
    for (Worker worker : List.copyOf(workers)) {
      if (now - worker.begunNanos >= LATE_NANOS) {
        worker.isLate = true;
        workers.remove(worker);
        late++;
      }
    }
    int most = Math.min(MOST_WORKERS, Math.max(1, late));
    while (workers.size() < most && !waiting.isEmpty()) {
      Worker next = new Worker();
      workers.add(next);
      tasks.run(next, next::end);
    }
  }

  /** Returns whether there is work that is not late. */
  boolean isBusy() {
    return !workers.isEmpty() || !waiting.isEmpty();
  }
}
