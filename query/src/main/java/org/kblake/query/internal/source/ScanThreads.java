package org.kblake.query.internal.source;

import java.io.Closeable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The threads that read raw logs ahead of all answers of an archive, and the memory for what they
 * read. If there is no free thread or memory for a range, the thread of its answer reads it. So no
 * answer waits for another one. Threads start when they are needed, and end when they have had
 * nothing to do for a second. Safe for many threads.
 */
public final class ScanThreads implements Closeable {

  private static final long IDLE_SECONDS = 1;

  private final ReadAheadLimits limits;
  private final AtomicLong freeBytes;
  private @Nullable ThreadPoolExecutor executor;
  private boolean closed;

  public ScanThreads(ReadAheadLimits limits) {
    this.limits = limits;
    freeBytes = new AtomicLong(limits.memoryBytes());
  }

  ReadAheadLimits limits() {
    return limits;
  }

  /** Reserves memory. Returns false if less is left. */
  boolean reserve(long bytes) {
    long free = freeBytes.get();
    while (free >= bytes) {
      if (freeBytes.compareAndSet(free, free - bytes)) {
        return true;
      }
      free = freeBytes.get();
    }
    return false;
  }

  /** Returns reserved memory. */
  void giveBack(long bytes) {
    freeBytes.addAndGet(bytes);
  }

  /** Returns the memory that is not reserved. */
  public long freeBytes() {
    return freeBytes.get();
  }

  /** Runs a task as soon as a thread is free. After {@link #close} it does not run. */
  void start(Runnable task) {
    ThreadPoolExecutor running = executor();
    if (running != null) {
      try {
        running.execute(task);
      } catch (RejectedExecutionException e) {
        // Closed in the meantime. The answer's own thread reads the range.
      }
    }
  }

  /** Removes a task that no thread has begun. */
  void cancel(Runnable task) {
    ThreadPoolExecutor running = executor();
    if (running != null) {
      running.remove(task);
    }
  }

  /** Returns the number of tasks that no thread has begun. */
  int waiting() {
    ThreadPoolExecutor running = executor();
    return running == null ? 0 : running.getQueue().size();
  }

  private synchronized @Nullable ThreadPoolExecutor executor() {
    if (executor == null && !closed) {
      AtomicInteger number = new AtomicInteger();
      executor =
          new ThreadPoolExecutor(
              limits.threads(),
              limits.threads(),
              IDLE_SECONDS,
              TimeUnit.SECONDS,
              new LinkedBlockingQueue<>(),
              task -> {
                Thread thread = new Thread(task, "kblake-read-" + number.incrementAndGet());
                // A thread that waits for a missing volume must not prevent the end of the process.
                thread.setDaemon(true);
                return thread;
              });
      executor.allowCoreThreadTimeOut(true);
    }
    return executor;
  }

  /** Ends the threads, each after its present range, and waits for their end. */
  @Override
  public void close() {
    ThreadPoolExecutor running;
    synchronized (this) {
      closed = true;
      running = executor;
    }
    if (running == null) {
      return;
    }
    running.shutdown();
    running.getQueue().clear();
    boolean interrupted = false;
    while (!running.isTerminated()) {
      try {
        boolean unused = running.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
