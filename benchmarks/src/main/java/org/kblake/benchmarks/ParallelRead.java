package org.kblake.benchmarks;

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
 * Reads all events of a store with several threads. Each thread takes the next row group in the
 * order of the files.
 */
public final class ParallelRead {

  private final List<Task> tasks = new ArrayList<>();

  /** The rows of a row group. */
  private record Task(Block block, Chunk rows) {}

  private ParallelRead() {}

  /** Lists the row groups of a store. */
  public static ParallelRead of(Path directory) throws IOException {
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

  /**
   * Lists the row groups of a store that several devices have. The devices take turns with them.
   *
   * @param directories the store's directory on each device
   */
  public static ParallelRead of(List<Path> directories) throws IOException {
    List<ParallelRead> reads = new ArrayList<>();
    for (Path directory : directories) {
      reads.add(of(directory));
    }
    ParallelRead read = new ParallelRead();
    for (int i = 0; i < reads.get(0).tasks.size(); i++) {
      read.tasks.add(reads.get(i % reads.size()).tasks.get(i));
    }
    return read;
  }

  private static List<Chunk> rowGroups(Block block) throws IOException {
    Map<Integer, Chunk> rowGroups = new TreeMap<>();
    for (Chunk chunk : block.chunks().all()) {
      rowGroups.merge(chunk.rowGroup(), chunk, ParallelRead::span);
    }
    return List.copyOf(rowGroups.values());
  }

  /** Returns the rows of two chunks of one row group, and the rows between them. */
  private static Chunk span(Chunk one, Chunk other) {
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

  /** Reads all row groups, and returns the number of events. */
  public long run(int threads, Pace pace) throws IOException, InterruptedException {
    AtomicInteger next = new AtomicInteger();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Long>> reads = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        reads.add(executor.submit(() -> share(next, pace)));
      }
      long events = 0;
      for (Future<Long> read : reads) {
        events += read.get();
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
    // Reused for the next row group, as in kblake's reads.
    EventColumns columns = null;
    try (ChunkReader reader = new ChunkReader(pace)) {
      int at = next.getAndIncrement();
      while (at < tasks.size()) {
        Task task = tasks.get(at);
        Chunk rows = task.rows();
        if (columns == null
            || columns.type() != rows.type()
            || columns.waveform() != rows.waveform()) {
          columns = new EventColumns(rows.type(), rows.waveform(), ChunkReader.MAX_ROWS);
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
