package org.kblake.cli.frame;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Work that Ctrl-C, and whatever else ends the JVM from outside, turns into an interrupt of the
 * thread that does it. The JVM is held until that thread has put its things in order. The exit
 * status stays what the signal makes it: 130 for Ctrl-C.
 */
public final class Stoppable {

  private static final long PATIENCE_SECONDS = 60;

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

  private Stoppable() {}

  /**
   * Does work on this thread.
   *
   * @param whenStopped a line for the user: what stays, and how to go on
   * @return the work's exit status, or {@link ExitStatus#INTERRUPTED}
   */
  public static int run(Session session, String whenStopped, Work work) throws IOException {
    Stoppable stoppable = new Stoppable();
    Thread hook = new Thread(stoppable::stop, "kblake-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return work.run();
    } catch (InterruptedException | InterruptedIOException | ClosedByInterruptException e) {
      session.note("stopped; " + whenStopped);
      return ExitStatus.INTERRUPTED;
    } finally {
      stoppable.inOrder.countDown();
      remove(hook);
    }
  }

  private void stop() {
    worker.interrupt();
    try {
      inOrder.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts a hook; if somebody does, he wants the end at once.
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
