package org.kblake.ingest.internal.transcode;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.kblake.ingest.internal.rows.ScatteredRows;

/**
 * Has blocks made of full rows by another thread, one after the other. With rows for two blocks the
 * next one is filled meanwhile. For one thread, which holds one of the cores.
 */
final class BlockPipeline {

  private final List<ScatteredRows> rows;
  private final ExecutorService threads;
  private final Semaphore cores;
  private int filling;
  private int sealing;
  private @Nullable Future<?> underWay;

  /** Makes a block. */
  @FunctionalInterface
  interface Task {
    void make(ScatteredRows full) throws IOException, InterruptedException;
  }

  /**
   * @param rows for one block or for two, empty
   * @param cores a permit is given back while this waits
   */
  BlockPipeline(List<ScatteredRows> rows, ExecutorService threads, Semaphore cores) {
    this.rows = List.copyOf(rows);
    this.threads = threads;
    this.cores = cores;
  }

  /** The rows to be filled. */
  ScatteredRows rows() {
    return rows.get(filling);
  }

  /**
   * Has a block made of the rows, when the one before is done; {@link #rows} are empty again.
   *
   * @throws IOException why the block before could not be made, or this one
   */
  void seal(Task task) throws IOException, InterruptedException {
    await();
    ScatteredRows full = rows();
    underWay =
        threads.submit(
            () -> {
              task.make(full);
              return null;
            });
    sealing = filling;
    filling = (filling + 1) % rows.size();
    if (filling == sealing) {
      await();
    }
  }

  /**
   * Waits for the block that is being made, if any.
   *
   * @throws IOException why it could not be made
   */
  void await() throws IOException, InterruptedException {
    Future<?> awaited = underWay;
    if (awaited == null) {
      return;
    }
    // The core goes to the encoding threads meanwhile.
    cores.release();
    try {
      awaited.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException io) {
        throw io;
      }
      if (cause instanceof InterruptedException) {
        throw new InterruptedException("sealing was stopped");
      }
      throw new IllegalStateException("sealing failed: " + cause, cause);
    } finally {
      cores.acquireUninterruptibly();
    }
    underWay = null;
    rows.get(sealing).clear();
  }

  /** Ends in any case: when this returns, no thread reads the rows, and they are empty. */
  void end() {
    Future<?> awaited = underWay;
    boolean interrupted = false;
    while (awaited != null) {
      try {
        awaited.get();
        awaited = null;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        awaited = null;
      }
    }
    underWay = null;
    rows.forEach(ScatteredRows::clear);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
