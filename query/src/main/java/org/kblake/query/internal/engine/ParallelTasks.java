package org.kblake.query.internal.engine;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Runs a function for several inputs on the calling thread and a caller's executor. */
final class ParallelTasks {

  private final @Nullable Executor executor;

  /**
   * @param executor the executor; null for the calling thread
   */
  ParallelTasks(@Nullable Executor executor) {
    this.executor = executor;
  }

  /** Returns how many of some tasks may run at the same time. */
  int atOnce(int tasks) {
    return executor == null ? 1 : tasks;
  }

  /** The function. */
  @FunctionalInterface
  interface Work<A, B> {
    B apply(A input) throws IOException;
  }

  /**
   * @return the results in the order of the inputs
   * @throws InterruptedIOException if the thread is interrupted while it waits
   */
  <A, B> List<B> map(List<A> inputs, Work<A, B> work) throws IOException {
    Executor shared = executor;
    if (shared == null) {
      List<B> results = new ArrayList<>();
      for (A input : inputs) {
        results.add(work.apply(input));
      }
      return results;
    }
    List<FutureTask<B>> tasks = new ArrayList<>();
    for (A input : inputs) {
      tasks.add(new FutureTask<>(() -> work.apply(input)));
    }
    try {
      tasks.forEach(shared::execute);
      for (FutureTask<B> task : tasks) {
        // Nothing if another thread has begun it.
        task.run();
        if (task.isDone()) {
          task.get();
        }
      }
      List<B> results = new ArrayList<>();
      for (FutureTask<B> task : tasks) {
        results.add(task.get());
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while groups were planned or read");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      throw unwrapped(e);
    } finally {
      tasks.forEach(task -> task.cancel(true));
    }
  }

  private static IOException unwrapped(ExecutionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof IOException failed) {
      return failed;
    }
    if (cause instanceof RuntimeException failed) {
      throw failed;
    }
    if (cause instanceof Error failed) {
      throw failed;
    }
    return new IOException(cause);
  }
}
