package org.kblake.core.archive;

import java.io.InterruptedIOException;

/**
 * The interrupt of a thread whose work is no longer wanted: the user ended the command, the client
 * of a request left, or its time is over. Reads of files notice it by themselves. Loops that may
 * take long without such a read ask here.
 */
public final class Interruption {

  private Interruption() {}

  /**
   * Ends a loop if the thread is interrupted. It takes about a nanosecond.
   *
   * @throws InterruptedIOException if it is interrupted; its interrupt status stays
   */
  public static void check() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("the work was stopped");
    }
  }
}
