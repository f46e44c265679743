package org.kblake.ingest.internal.live.state;

import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks periodically. An error in one round is reported, and the next round begins as usual.
 */
public final class PeriodicTasks {

  private final Problems problems;

  /** A task. */
  public interface Task {
    void run() throws IOException, InterruptedException;
  }

  public PeriodicTasks(Problems problems) {
    this.problems = problems;
  }

  /**
   * Begins to run a task.
   *
   * @param what the text of a failure, for messages, such as {@code budget cannot be kept}
   * @param firstNanos time until the first round
   * @param pauseNanos time from the end of a round to the beginning of the next
   */
  public void repeat(
      ScheduledExecutorService thread, String what, long firstNanos, long pauseNanos, Task task) {
    ScheduledFuture<?> unused = repeating(thread, what, firstNanos, pauseNanos, task);
  }

  /** Begins to run a task as {@link #repeat} does, until the result is cancelled. */
  public ScheduledFuture<?> repeating(
      ScheduledExecutorService thread, String what, long firstNanos, long pauseNanos, Task task) {
    // The task ends with the executor. {@code once} throws no exception that would end it.
    return thread.scheduleWithFixedDelay(
        () -> once(what, task), firstNanos, pauseNanos, TimeUnit.NANOSECONDS);
  }

  private void once(String what, Task task) {
    try {
      task.run();
      problems.end(Problems.ARCHIVE, what);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      if (!Thread.currentThread().isInterrupted()) {
        problems.beginOfStore(Problems.ARCHIVE, what, what + ": " + e);
      }
    }
  }
}
