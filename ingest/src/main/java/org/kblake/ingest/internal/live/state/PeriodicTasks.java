package org.kblake.ingest.internal.live.state;

import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Work that is done again and again. An error in one run is reported, and is no reason not to begin
 * the next.
 */
public final class PeriodicTasks {

  private final Problems problems;

  /** What is done. */
  public interface Task {
    void run() throws IOException, InterruptedException;
  }

  public PeriodicTasks(Problems problems) {
    this.problems = problems;
  }

  /**
   * Begins.
   *
   * @param what for messages: {@code the budget cannot be kept}
   * @param firstNanos until the first run
   * @param pauseNanos from the end of a run to the beginning of the next
   */
  public void repeat(
      ScheduledExecutorService thread, String what, long firstNanos, long pauseNanos, Task task) {
    // It ends with the thread, and never by an exception.
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(
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
