package org.kblake.cli.frame;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.error.ExitStatus;

/**
 * Work that Ctrl-C, and whatever else ends the JVM from outside, turns into an interrupt of the
 * thread that does it. The JVM is held until that thread has put its things in order, for a minute
 * at most by default. The exit status stays what the signal makes it: 130 for Ctrl-C.
 */
public final class Stoppable {

  private static final long TIMEOUT_SECONDS = 60;

  /** Work without files to remove may hang because its output is not read. */
  private static final long QUIET_TIMEOUT_SECONDS = 2;

  private static final long UNLIMITED = Long.MAX_VALUE;

  private final long timeoutSeconds;
  private final Thread worker = Thread.currentThread();
  private final CountDownLatch inOrder = new CountDownLatch(1);

  /** What is to be done. */
  public interface Work {
    /**
     * Does it.
     *
     * @return the exit status
     */
    int run() throws IOException, InterruptedException;
  }

  private Stoppable(long timeoutSeconds) {
    this.timeoutSeconds = timeoutSeconds;
  }

  /**
   * Does work on this thread.
   *
   * @param whenStopped a line for the user: what stays, and how to continue
   * @return the work's exit status, or {@link ExitStatus#INTERRUPTED}
   */
  public static int run(Session session, String whenStopped, Work work) throws IOException {
    return new Stoppable(TIMEOUT_SECONDS).run(work, () -> session.note("stopped; " + whenStopped));
  }

  /** As {@link #run}, for work that ends by itself when it is interrupted: the JVM waits for it. */
  public static int runToItsEnd(Session session, String whenStopped, Work work) throws IOException {
    return new Stoppable(UNLIMITED).run(work, () -> session.note("stopped; " + whenStopped));
  }

  /** As {@link #run}, for work whose end is to be stopped: without a word. */
  public static int runQuietly(Work work) throws IOException {
    return new Stoppable(QUIET_TIMEOUT_SECONDS).run(work, () -> {});
  }

  /** The JVM ends only when the last word is said. */
  private int run(Work work, Runnable lastWord) throws IOException {
    Thread hook = new Thread(this::stop, "kblake-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return work.run();
    } catch (InterruptedException | InterruptedIOException | ClosedByInterruptException e) {
      lastWord.run();
      return ExitStatus.INTERRUPTED;
    } finally {
      inOrder.countDown();
      remove(hook);
    }
  }

  private void stop() {
    worker.interrupt();
    try {
      inOrder.await(timeoutSeconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      // A hook is not interrupted normally. An interrupt means to end at once.
      Thread.currentThread().interrupt();
    }
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM ends already, and the hook with it.
    }
  }
}
