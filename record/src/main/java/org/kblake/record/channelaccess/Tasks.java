package org.kblake.record.channelaccess;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What other threads want a thread to do. No method waits. */
final class Tasks {

  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  void add(Runnable task) {
    tasks.add(task);
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Does all of them. One that fails is logged, and the others are done. */
  void run() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      try {
        task.run();
      } catch (RuntimeException | OutOfMemoryError e) {
        LOG.error("a task failed", e);
      }
    }
  }
}
