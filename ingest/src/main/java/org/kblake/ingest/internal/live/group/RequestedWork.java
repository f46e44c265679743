package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Work on a group that somebody requested and waits for, while one of the workers does it. He who
 * waits may call it off at any moment. Safe for many threads.
 */
public final class RequestedWork {

  /** Bytes of log, seconds of work: so long what is new in the same group waits. */
  public static final long MOST_BYTES = 512L << 20;

  private final Work work;
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private @Nullable Thread worker;
  private boolean calledOff;

  /** What is to be done. */
  public interface Work {
    /**
     * Does it.
     *
     * @param group no other thread works on it
     */
    void run(GroupWork group) throws IOException, InterruptedException;
  }

  public RequestedWork(Work work) {
    this.work = work;
  }

  /**
   * Does it on this thread, unless it was called off.
   *
   * @throws IOException why it could not be done; the waiting thread gets it, too
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

  /** Whether the request was cancelled. */
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

  /** Waits for the end of work on a group, or until the group is known to be silent. */
  @FunctionalInterface
  public interface Wait {

    /** Waits, and says whether the work ended; false if the group is silent. */
    boolean await(Future<?> end) throws InterruptedException, ExecutionException;
  }

  /**
   * Waits until it is done. If the wait is interrupted, or the group turns out to be silent, it is
   * called off.
   *
   * @param wait how the end is waited for
   * @return whether it is done; false if the group is silent
   * @throws IOException why it could not be done
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
        callOff();
      }
    }
  }
}
