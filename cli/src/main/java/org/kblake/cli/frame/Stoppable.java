package org.kblake.cli.frame;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.kblake.cli.error.ExitStatus;

/**
 * Work that can be stopped. Ctrl-C, or another signal that ends the JVM, interrupts the thread of
 * the work. The JVM waits until that thread has cleaned up, by default for at most a minute. The
 * exit status is that of the signal: 130 for Ctrl-C.
 */
public final class Stoppable {

  private static final long TIMEOUT_SECONDS = 60;

  /**
   * The timeout for work that has no files to remove. It may hang because its output is not read.
   */
  private static final long QUIET_TIMEOUT_SECONDS = 2;

  private static final long UNLIMITED = Long.MAX_VALUE;

  private final long timeoutSeconds;
  private final Thread worker = Thread.currentThread();
  private final CountDownLatch finished = new CountDownLatch(1);

  /** The work. */
  public interface Work {
    /**
     * Does the work.
     *
     * @return the exit status
     */
    int run() throws IOException, InterruptedException;
  }

  private Stoppable(long timeoutSeconds) {
    this.timeoutSeconds = timeoutSeconds;
  }

  /**
   * Does work on the calling thread.
   *
   * @param whenStopped a line for the user: the part that is kept, and how to continue
   * @return the work's exit status, or {@link ExitStatus#INTERRUPTED}
   */
  public static int run(Session session, String whenStopped, Work work) throws IOException {
    return run(session, () -> whenStopped, work);
  }

  /**
   * Does work on the calling thread.
   *
   * @param whenStopped makes a line for the user after the stop: how far the work got, the part
   *     that is kept, and how to continue
   * @return the work's exit status, or {@link ExitStatus#INTERRUPTED}
   */
  public static int run(Session session, Supplier<String> whenStopped, Work work)
      throws IOException {
    return new Stoppable(TIMEOUT_SECONDS)
        .run(work, () -> session.note("stopped; " + whenStopped.get()));
  }

  /**
   * Does work that always ends after an interrupt. Otherwise as {@link #run}, but the JVM waits
   * without a limit.
   */
  public static int runToItsEnd(Session session, String whenStopped, Work work) throws IOException {
    return new Stoppable(UNLIMITED).run(work, () -> session.note("stopped; " + whenStopped));
  }

  /**
   * Does work that ends only when it is stopped. Otherwise as {@link #run}, but without a message.
   */
  public static int runQuietly(Work work) throws IOException {
    return new Stoppable(QUIET_TIMEOUT_SECONDS).run(work, () -> {});
  }

  /**
   * Does work that ends only when it is stopped, as {@link #runQuietly(Work)}.
   *
   * @param timeoutSeconds the time that the work has to end, in seconds
   */
  public static int runQuietly(Work work, long timeoutSeconds) throws IOException {
    return new Stoppable(timeoutSeconds).run(work, () -> {});
  }

  /** Does the work. The JVM ends only after the message. */
  private int run(Work work, Runnable whenStopped) throws IOException {
    HeapWatch heap = HeapWatch.start();
    Thread hook = new Thread(this::stop, "kblake-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return work.run();
    } catch (InterruptedException | InterruptedIOException | ClosedByInterruptException e) {
      whenStopped.run();
      return ExitStatus.INTERRUPTED;
    } finally {
      heap.close();
      finished.countDown();
      remove(hook);
    }
  }

  private void stop() {
    worker.interrupt();
    try {
      finished.await(timeoutSeconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      // Usually nothing interrupts a hook. After an interrupt, the process must end at once.
      Thread.currentThread().interrupt();
    }
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down and runs the hook
    }
  }
}
