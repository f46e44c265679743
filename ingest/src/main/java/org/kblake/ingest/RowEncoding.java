package org.kblake.ingest;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.kblake.core.store.BlockWriter;
import org.kblake.core.store.ChunkTimes;
import org.kblake.core.store.EventColumns;
import org.kblake.core.store.parquet.EncodedRowGroup;
import org.kblake.core.store.parquet.RowGroupEncoder;
import org.kblake.core.store.parquet.RowGroupPlan;
import org.kblake.core.store.parquet.WriteProfile;

/**
 * Turns scattered rows into the Parquet files of a block: row groups are encoded side by side and
 * written in their order. As many are under way as there are threads, which bounds the memory.
 */
final class RowEncoding {

  private final ExecutorService threads;
  private final Semaphore cores;
  private final int threadCount;
  private final WriteProfile profile;
  private final ConcurrentLinkedQueue<RowGroupEncoder> idle = new ConcurrentLinkedQueue<>();

  /**
   * @param cores a permit for each core that may be busy
   */
  RowEncoding(ExecutorService threads, Semaphore cores, int threadCount, WriteProfile profile) {
    this.threads = threads;
    this.cores = cores;
    this.threadCount = threadCount;
    this.profile = profile;
  }

  /** A row group on its way. */
  private record Encoded(Series first, EncodedRowGroup rowGroup, List<ChunkTimes> times) {}

  /**
   * Writes every row.
   *
   * @param numbered the series by their number in the rows
   * @throws InterruptedException if interrupted; the block is then to be closed without a commit
   */
  void write(ScatteredRows rows, List<Series> numbered, BlockWriter block)
      throws IOException, InterruptedException {
    List<Integer> sorted = new ArrayList<>();
    for (int i = 0; i < numbered.size(); i++) {
      if (rows.rows(i) > 0) {
        sorted.add(i);
      }
    }
    sorted.sort((a, b) -> numbered.get(a).compareTo(numbered.get(b)));
    Deque<Future<Encoded>> underWay = new ArrayDeque<>();
    try {
      int from = 0;
      while (from < sorted.size()) {
        int to = from;
        while (to < sorted.size()
            && numbered.get(sorted.get(from)).sameFile(numbered.get(sorted.get(to)))) {
          to++;
        }
        List<Integer> file = sorted.subList(from, to);
        for (List<RowGroupPlan.Stretch> rowGroup :
            RowGroupPlan.of(
                file.size(), i -> rows.rows(file.get(i)), i -> rows.bytes(file.get(i)))) {
          if (underWay.size() > threadCount) {
            append(underWay.remove(), block);
          }
          underWay.add(threads.submit(() -> encodeOnACore(rowGroup, file, numbered, rows)));
        }
        from = to;
      }
      while (!underWay.isEmpty()) {
        append(underWay.remove(), block);
      }
    } finally {
      // The rows must stay until nobody reads them any more.
      for (Future<Encoded> task : underWay) {
        drop(task);
      }
    }
  }

  private static void drop(Future<Encoded> task) {
    boolean interrupted = false;
    boolean ended = task.cancel(false);
    while (!ended && !task.isCancelled()) {
      try {
        task.get();
        ended = true;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        ended = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Encoded encodeOnACore(
      List<RowGroupPlan.Stretch> rowGroup,
      List<Integer> file,
      List<Series> numbered,
      ScatteredRows rows)
      throws InterruptedException {
    cores.acquire();
    try {
      return encode(rowGroup, file, numbered, rows);
    } finally {
      cores.release();
    }
  }

  private static void append(Future<Encoded> task, BlockWriter block)
      throws IOException, InterruptedException {
    try {
      Encoded encoded = task.get();
      block.append(encoded.first.type(), encoded.first.waveform(), encoded.rowGroup, encoded.times);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException io) {
        throw io;
      }
      throw new IllegalStateException("encoding failed: " + cause, cause);
    }
  }

  private Encoded encode(
      List<RowGroupPlan.Stretch> rowGroup,
      List<Integer> file,
      List<Series> numbered,
      ScatteredRows rows) {
    RowGroupEncoder encoder = idle.poll();
    if (encoder == null) {
      encoder = new RowGroupEncoder();
    }
    Series first = numbered.get(file.get(rowGroup.get(0).channel()));
    encoder.begin(first.type(), first.waveform(), profile);
    EventColumns batch = new EventColumns(first.type(), first.waveform(), EventColumns.PAGE_ROWS);
    List<ChunkTimes> times = new ArrayList<>();
    for (RowGroupPlan.Stretch stretch : rowGroup) {
      int series = file.get(stretch.channel());
      encoder.channel(numbered.get(series).channel());
      ChunkTimes chunk = ChunkTimes.NONE;
      ScatteredRows.Cursor cursor = rows.cursor(series);
      cursor.skip(stretch.fromRow());
      for (long row = stretch.fromRow(); row < stretch.toRow(); row += batch.count) {
        int count = (int) Math.min(EventColumns.PAGE_ROWS, stretch.toRow() - row);
        cursor.read(count, batch);
        chunk = chunk.and(batch);
        encoder.append(batch);
      }
      times.add(chunk);
    }
    EncodedRowGroup encoded = encoder.finish();
    idle.add(encoder);
    return new Encoded(first, encoded, times);
  }
}
