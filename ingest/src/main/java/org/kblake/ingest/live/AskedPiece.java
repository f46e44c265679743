package org.kblake.ingest.live;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Work on a group that somebody asked for and waits for, while one of the workers does it. He who
 * waits may call it off at any moment. Safe for many threads.
 */
final class AskedPiece {

  private final Work work;
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private @Nullable Thread worker;
  private boolean calledOff;

  /** What is to be done. */
  interface Work {
    /**
     * Does it.
     *
     * @param group nobody else is at work on it
     */
    void run(GroupWork group) throws IOException, InterruptedException;
  }

  AskedPiece(Work work) {
    this.work = work;
  }

  /**
   * Does it on this thread, unless it was called off.
   *
   * @throws IOException why it could not be done; he who waits is told, too
   * @throws InterruptedException if this thread is to end, not only this work
   */
  void run(GroupWork group) throws IOException, InterruptedException {
    synchronized (this) {
      if (calledOff) {
        return;
      }
      worker = Thread.currentThread();
    }
    try {
      work.run(group);
      boolean unused = leave();
      end.complete(null);
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (!leave()) {
        fail(e);
        throw e;
      }
    } catch (Error e) {
      // Whoever waits must not wait for ever.
      fail(e);
      throw e;
    }
  }

  /** Whether nobody wants it any more. */
  synchronized boolean isCalledOff() {
    return calledOff;
  }

  /**
   * Ends the time in which calling it off interrupts this thread.
   *
   * @return whether it was called off; the interrupt is gone then
   */
  private synchronized boolean leave() {
    worker = null;
    if (calledOff) {
      boolean unused = Thread.interrupted();
    }
    return calledOff;
  }

  /** It cannot be done. */
  void fail(Throwable reason) {
    end.completeExceptionally(reason);
  }

  /** It is not wanted any more: what has begun ends soon. */
  synchronized void callOff() {
    calledOff = true;
    if (worker != null) {
      worker.interrupt();
    }
  }

  /**
   * Waits until it is done. If the wait is interrupted it is called off.
   *
   * @throws IOException why it could not be done
   */
  void await() throws IOException, InterruptedException {
    try {
      end.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof InterruptedException
          || cause instanceof InterruptedIOException
          || cause instanceof ClosedByInterruptException) {
        throw new InterruptedException("the process ends");
      }
      if (cause instanceof IOException io) {
        throw io;
      }
      throw new IllegalStateException("work that was asked for failed: " + cause, cause);
    } finally {
      if (!end.isDone()) {
        callOff();
      }
    }
  }
}
