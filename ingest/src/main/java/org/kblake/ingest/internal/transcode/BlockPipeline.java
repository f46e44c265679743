package org.kblake.ingest.internal.transcode;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.ingest.internal.rows.ScatteredRows;

/**
 * Makes blocks of full rows on another thread, one after the other. With rows for two blocks, the
 * next one is filled in the meantime. For one thread, which holds a permit of a core.
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
   * @param rows the empty rows for one block or for two
   * @param cores the permits; one is released while this waits
   */
  BlockPipeline(List<ScatteredRows> rows, ExecutorService threads, Semaphore cores) {
    this.rows = List.copyOf(rows);
    this.threads = threads;
    this.cores = cores;
  }

  /** Returns the rows to be filled. */
  ScatteredRows rows() {
    return rows.get(filling);
  }

  /**
   * Makes a block of the rows when the previous one is done. {@link #rows} are empty afterwards.
   *
   * @throws IOException if the previous block, or this one, could not be made
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
   * Waits for the block that is in work, if any.
   *
   * @throws IOException if it could not be made
   */
  void await() throws IOException, InterruptedException {
    Future<?> awaited = underWay;
    if (awaited == null) {
      return;
    }
    // The encoding threads use the core in the meantime.
    cores.release();
    try {
      Threads.result(awaited, "sealing");
    } finally {
      cores.acquireUninterruptibly();
    }
    underWay = null;
    rows.get(sealing).clear();
  }

  /**
   * Waits for the end of the block in work, even if the thread is interrupted. Afterwards no thread
   * reads the rows, and they are empty.
   */
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
