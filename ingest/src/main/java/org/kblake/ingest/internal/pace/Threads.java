package org.kblake.ingest.internal.pace;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Names background threads, and waits for their results and their end. */
public final class Threads {

  private Threads() {}

  /** Returns a factory of threads whose names are a prefix and a number. */
  public static ThreadFactory named(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> new Thread(task, prefix + number.incrementAndGet());
  }

  /**
   * Waits for the result of a task.
   *
   * @param work the name of the work in messages, such as {@code backfill}
   * @throws IOException if the task failed with it
   * @throws InterruptedException if this thread or the task was interrupted
   * @throws IllegalStateException if the task failed with another exception
   */
  public static <T> T result(Future<T> task, String work) throws IOException, InterruptedException {
    try {
      return task.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException io) {
        throw io;
      }
      if (cause instanceof InterruptedException || cause instanceof CancellationException) {
        throw new InterruptedException(work + " was stopped");
      }
      throw new IllegalStateException(work + " failed: " + cause, cause);
    }
  }

  /** Waits as {@link #awaitEnd(ExecutorService)} does, but no longer than {@code most}. */
  public static void awaitEnd(ExecutorService service, Duration most) {
    try {
      boolean unused = service.awaitTermination(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until a service that was shut down has ended, even if the thread is interrupted.
   * Afterwards it writes nothing.
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
