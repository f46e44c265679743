package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Work on a group that one thread requests and waits for, and that a worker does. The waiting
 * thread may cancel it at any moment. Safe for many threads.
 */
public final class RequestedWork {

  /** The bytes of log of one step. They take seconds, in which new segments of the group wait. */
  public static final long MAX_BYTES = 512L << 20;

  private final Work work;
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private @Nullable Thread worker;
  private boolean cancelled;

  /** The work. */
  public interface Work {
    /**
     * Does the work.
     *
     * @param group the group, on which no other thread works
     */
    void run(GroupWork group) throws IOException, InterruptedException;
  }

  public RequestedWork(Work work) {
    this.work = work;
  }

  /**
   * Does the work on this thread, unless it was cancelled.
   *
   * @throws IOException if the work failed; the waiting thread receives it, too
   * @throws InterruptedException if this thread is to end, not just this work
   */
  void run(GroupWork group) throws IOException, InterruptedException {
    synchronized (this) {
      if (cancelled) {
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
      // The waiting thread must not wait for ever.
      fail(e);
      throw e;
    }
  }

  /** Returns whether the request was cancelled. */
  synchronized boolean isCancelled() {
    return cancelled;
  }

  /**
   * Ends the time in which a cancellation interrupts this thread.
   *
   * @return whether the work was cancelled; the interrupt flag is cleared then
   */
  private synchronized boolean leave() {
    worker = null;
    if (cancelled) {
      boolean unused = Thread.interrupted();
    }
    return cancelled;
  }

  /** Ends the work with an error. */
  void fail(Throwable reason) {
    end.completeExceptionally(reason);
  }

  /** Cancels the work. Work that has begun ends soon. */
  synchronized void cancel() {
    cancelled = true;
    if (worker != null) {
      worker.interrupt();
    }
  }

  /** Waits for the end of work on a group, or until the group is known to be unresponsive. */
  @FunctionalInterface
  public interface Wait {

    /** Waits. Returns true if the work ended; false if the group is unresponsive. */
    boolean await(Future<?> end) throws InterruptedException, ExecutionException;
  }

  /**
   * Waits until the work is done. Cancels it if the wait is interrupted, or if the group is
   * unresponsive.
   *
   * @param wait the way to wait for the end
   * @return true if the work is done; false if the group is unresponsive
   * @throws IOException if the work failed
   */
  public boolean await(Wait wait) throws IOException, InterruptedException {
    try {
      return wait.await(end);
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
      throw new IllegalStateException("requested work failed: " + cause, cause);
    } finally {
      if (!end.isDone()) {
        cancel();
      }
    }
  }
}
