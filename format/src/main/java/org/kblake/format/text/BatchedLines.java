package org.kblake.format.text;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;

/**
 * Writes rows as lines that several threads format in batches. Batches are written in the order of
 * the rows. The calling thread writes all lines. It also formats batches for which the other
 * threads have no time, which limits the batches in memory. Not thread safe. The caller closes the
 * stream.
 */
final class BatchedLines implements Closeable {

  private final OutputStream out;
  private final LineForm form;
  private final ThreadPoolExecutor threads;
  private final int mostAhead;
  private final Queue<FutureTask<LineBatch>> ahead = new ArrayDeque<>();
  private final Queue<LineBatch> idle = new ArrayDeque<>();
  private LineBatch batch;

  /**
   * @param helpers the number of threads besides the caller's, at least one
   */
  BatchedLines(OutputStream out, LineForm form, int helpers) {
    this.out = out;
    this.form = form;
    mostAhead = 4 * helpers;
    batch = new LineBatch(form);
    threads =
        new ThreadPoolExecutor(
            helpers,
            helpers,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(helpers),
            BatchedLines::thread,
            new ThreadPoolExecutor.CallerRunsPolicy());
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "kblake-lines");
    thread.setDaemon(true);
    return thread;
  }

  /** Writes the rows [from, to) of one channel. The caller may change them afterwards. */
  void write(Channel channel, EventColumns events, int from, int to) throws IOException {
    int row = from;
    while (row < to) {
      row = batch.add(channel, events, row, to);
      if (batch.isFull()) {
        handOver();
        batch = nextBatch();
      }
    }
  }

  private LineBatch nextBatch() {
    return idle.isEmpty() ? new LineBatch(form) : idle.remove();
  }

  /**
   * Gives the batch to the threads. Batches of long waveforms are formatted one at a time and not
   * reused, to limit memory.
   */
  private void handOver() throws IOException {
    int most = batch.isLarge() ? 0 : mostAhead;
    FutureTask<LineBatch> task = new FutureTask<>(batch::format);
    ahead.add(task);
    threads.execute(task);
    while (ahead.size() > most || !ahead.isEmpty() && ahead.element().isDone()) {
      writeFirst();
    }
  }

  private void writeFirst() throws IOException {
    LineBatch first = made(ahead.remove());
    boolean kept = !first.isLarge();
    first.drain(out);
    if (kept) {
      idle.add(first);
    }
  }

  private static LineBatch made(FutureTask<LineBatch> task) throws IOException {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while lines were written");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IllegalStateException("lines cannot be written: " + e.getCause(), e.getCause());
    }
  }

  /** Writes all remaining rows, and flushes the stream. */
  void flush() throws IOException {
    handOver();
    while (!ahead.isEmpty()) {
      writeFirst();
    }
    batch = nextBatch();
    out.flush();
  }

  /** Ends the threads. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
