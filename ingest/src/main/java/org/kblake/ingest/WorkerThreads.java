package org.kblake.ingest;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** How threads that work for a while are named and ended. */
final class WorkerThreads {

  private WorkerThreads() {}

  static ThreadFactory named(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> new Thread(task, prefix + number.incrementAndGet());
  }

  /** Nothing may go on writing when the work is done, even if somebody is in a hurry. */
  static void awaitEnd(ExecutorService service) {
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = service.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
