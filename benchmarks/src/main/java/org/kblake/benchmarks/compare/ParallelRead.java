package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * Reads all that a store holds, a row group at a time in the order of the files, each thread the
 * next one that is left.
 */
final class ParallelRead {

  private final List<Task> tasks = new ArrayList<>();

  /** The rows of a row group. */
  private record Task(Block block, Chunk rows) {}

  private ParallelRead() {}

  /** Finds what there is to read. */
  static ParallelRead of(Path directory) throws IOException {
    ParallelRead read = new ParallelRead();
    try (Store store = Store.open(directory, null)) {
      for (Group group : store.groups()) {
        for (Block block : store.blocks(group, problem -> {})) {
          rowGroups(block).forEach(rows -> read.tasks.add(new Task(block, rows)));
        }
      }
    }
    return read;
  }

  private static List<Chunk> rowGroups(Block block) throws IOException {
    Map<Integer, Chunk> rowGroups = new TreeMap<>();
    for (Chunk chunk : block.chunks().all()) {
      rowGroups.merge(chunk.rowGroup(), chunk, ParallelRead::together);
    }
    return List.copyOf(rowGroups.values());
  }

  /** Rows of two chunks of one row group, and those between. */
  private static Chunk together(Chunk one, Chunk other) {
    int firstRow = Math.min(one.firstRow(), other.firstRow());
    int endRow = Math.max(one.firstRow() + one.rows(), other.firstRow() + other.rows());
    int firstPage = Math.min(one.firstPage(), other.firstPage());
    int endPage = Math.max(one.firstPage() + one.pages(), other.firstPage() + other.pages());
    return new Chunk(
        one.channel(),
        one.type(),
        one.waveform(),
        one.rowGroup(),
        firstRow,
        endRow - firstRow,
        firstPage,
        endPage - firstPage,
        Math.min(one.firstNanos(), other.firstNanos()),
        Math.max(one.lastNanos(), other.lastNanos()),
        Math.min(one.firstValueNanos(), other.firstValueNanos()));
  }

  /** Reads everything and tells how many events there were. */
  long run(int threads, Pace pace) throws IOException, InterruptedException {
    AtomicInteger next = new AtomicInteger();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Long>> parts = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        parts.add(executor.submit(() -> share(next, pace)));
      }
      long events = 0;
      for (Future<Long> part : parts) {
        events += part.get();
      }
      return events;
    } catch (ExecutionException e) {
      throw new IOException("read failed", e);
    } finally {
      executor.shutdownNow();
    }
  }

  private long share(AtomicInteger next, Pace pace) throws IOException {
    long events = 0;
    // kept from one row group to the next, as kblake's own reads keep them
    EventColumns columns = null;
    try (ChunkReader reader = new ChunkReader(pace)) {
      int at = next.getAndIncrement();
      while (at < tasks.size()) {
        Task task = tasks.get(at);
        Chunk rows = task.rows();
        if (columns == null
            || columns.type() != rows.type()
            || columns.waveform() != rows.waveform()) {
          columns = new EventColumns(rows.type(), rows.waveform(), ChunkReader.MOST_ROWS);
        }
        reader.openRows(task.block().chunks(), rows, TimeRange.ALL);
        while (reader.next(columns)) {
          events += columns.count;
        }
        at = next.getAndIncrement();
      }
    }
    return events;
  }
}
