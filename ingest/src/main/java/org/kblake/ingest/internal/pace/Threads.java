package org.kblake.ingest.internal.pace;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** How threads of work in the background are named, and how they end. */
public final class Threads {

  private Threads() {}

  /** Threads of that name and a number. */
  public static ThreadFactory named(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> new Thread(task, prefix + number.incrementAndGet());
  }

  /** As {@link #awaitEnd(ExecutorService)}, but not for longer than so. */
  public static void awaitEnd(ExecutorService service, Duration most) {
    try {
      boolean unused = service.awaitTermination(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until a service that was shut down has ended, even if somebody is in a hurry: afterwards
   * it writes nothing.
   */
  public static void awaitEnd(ExecutorService service) {
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
