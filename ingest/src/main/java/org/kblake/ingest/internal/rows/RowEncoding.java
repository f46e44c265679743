package org.kblake.ingest.internal.rows;

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
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.write.EncodedRowGroup;
import org.kblake.core.internal.parquet.write.RowGroupEncoder;
import org.kblake.core.internal.parquet.write.RowGroupPlan;
import org.kblake.core.internal.store.block.BlockWriter;
import org.kblake.core.internal.store.chunk.ChunkTimes;
import org.kblake.core.internal.store.rollup.RollupBuilder;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.core.internal.store.rollup.RollupWriter;
import org.kblake.core.internal.store.rollup.Rollups;

/**
 * Encodes rows into the Parquet files of a block. Row groups are encoded in parallel, and written
 * in their order. The number of row groups in work is about the number of threads. This limits the
 * memory.
 */
public final class RowEncoding {

  private final ExecutorService threads;
  private final Semaphore cores;
  private final int threadCount;
  private final WriteProfile profile;
  private final ConcurrentLinkedQueue<RowGroupEncoder> idle = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<RollupBuilder> idleRollups = new ConcurrentLinkedQueue<>();

  /**
   * @param cores has a permit for each core that may be busy
   */
  public RowEncoding(
      ExecutorService threads, Semaphore cores, int threadCount, WriteProfile profile) {
    this.threads = threads;
    this.cores = cores;
    this.threadCount = threadCount;
    this.profile = profile;
  }

  /** An encoded row group that is not written yet. */
  private record Encoded(
      Series first,
      EncodedRowGroup rowGroup,
      List<ChunkTimes> times,
      List<RollupWriter.RowGroupRollup> rollups) {}

  /**
   * Writes every row. Afterwards no thread reads the rows, even if this fails.
   *
   * @param numbered the series by their numbers
   * @throws InterruptedException if interrupted; the caller closes the block without a commit
   */
  public void write(RowSource rows, List<Series> numbered, BlockWriter block)
      throws IOException, InterruptedException {
    List<Integer> sorted = new ArrayList<>();
    for (int i = 0; i < numbered.size(); i++) {
      if (rows.rows(i) > 0) {
        sorted.add(i);
      }
    }
    sorted.sort((a, b) -> numbered.get(a).compareTo(numbered.get(b)));
    Deque<Future<List<Encoded>>> underWay = new ArrayDeque<>();
    Semaphore readers = new Semaphore(Integer.MAX_VALUE);
    try {
      int from = 0;
      while (from < sorted.size()) {
        int to = from;
        while (to < sorted.size()
            && numbered.get(sorted.get(from)).sameFile(numbered.get(sorted.get(to)))) {
          to++;
        }
        List<Integer> file = sorted.subList(from, to);
        List<List<RowSource.RowRange>> rowGroups = plan(rows, file);
        for (int first = 0; first < rowGroups.size(); ) {
          int end = first + rows.together(rowGroups, first);
          List<List<RowSource.RowRange>> together = rowGroups.subList(first, end);
          if (underWay.size() > threadCount) {
            append(underWay.remove(), block);
          }
          underWay.add(threads.submit(() -> encodeWithPermit(together, numbered, rows, readers)));
          first = end;
        }
        from = to;
      }
      while (!underWay.isEmpty()) {
        append(underWay.remove(), block);
      }
    } finally {
      underWay.forEach(task -> task.cancel(true));
      // Waits for the tasks that read rows. After this no task begins to read.
      readers.acquireUninterruptibly(Integer.MAX_VALUE);
    }
  }

  /** Returns the row groups of a file. */
  private static List<List<RowSource.RowRange>> plan(RowSource rows, List<Integer> file) {
    List<List<RowSource.RowRange>> rowGroups = new ArrayList<>();
    for (List<RowGroupPlan.Rows> planned :
        RowGroupPlan.of(
            file.size(),
            i -> rows.rows(file.get(i)),
            i -> rows.bytes(file.get(i)),
            i -> rows.longestRow(file.get(i)))) {
      List<RowSource.RowRange> rowGroup = new ArrayList<>(planned.size());
      for (RowGroupPlan.Rows each : planned) {
        rowGroup.add(
            new RowSource.RowRange(file.get(each.channel()), each.fromRow(), each.toRow()));
      }
      rowGroups.add(rowGroup);
    }
    return rowGroups;
  }

  /**
   * @param readers has a permit for each task that reads rows, and none after the end
   */
  private List<Encoded> encodeWithPermit(
      List<List<RowSource.RowRange>> rowGroups,
      List<Series> numbered,
      RowSource rows,
      Semaphore readers)
      throws IOException, InterruptedException {
    cores.acquire();
    try {
      if (!readers.tryAcquire()) {
        return List.of();
      }
      try (RowSource.Rows ready = rows.open(rowGroups)) {
        List<Encoded> encoded = new ArrayList<>(rowGroups.size());
        for (List<RowSource.RowRange> rowGroup : rowGroups) {
          encoded.add(encode(rowGroup, numbered, rows, ready));
        }
        return encoded;
      } finally {
        readers.release();
      }
    } finally {
      cores.release();
    }
  }

  private static void append(Future<List<Encoded>> task, BlockWriter block)
      throws IOException, InterruptedException {
    try {
      for (Encoded encoded : task.get()) {
        Series first = encoded.first;
        block.append(
            first.type(), first.waveform(), encoded.rowGroup, encoded.times, encoded.rollups);
      }
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException io) {
        throw io;
      }
      throw new IllegalStateException("encoding failed: " + cause, cause);
    }
  }

  private Encoded encode(
      List<RowSource.RowRange> rowGroup,
      List<Series> numbered,
      RowSource source,
      RowSource.Rows rows)
      throws IOException {
    RowGroupEncoder encoder = idle.poll();
    if (encoder == null) {
      encoder = new RowGroupEncoder();
    }
    RollupBuilder rollups = idleRollups.poll();
    if (rollups == null) {
      rollups = new RollupBuilder();
    }
    Series first = numbered.get(rowGroup.get(0).series());
    encoder.begin(first.type(), first.waveform(), profile);
    EventColumns batch = new EventColumns(first.type(), first.waveform(), EventColumns.PAGE_ROWS);
    ToEncoder sink = new ToEncoder(encoder, rollups, numbered, rowGroup, source);
    rows.feed(rowGroup, batch, sink);
    List<ChunkTimes> times = sink.times();
    EncodedRowGroup encoded = encoder.finish();
    idle.add(encoder);
    idleRollups.add(rollups);
    return new Encoded(first, encoded, times, sink.rollups(encoded));
  }

  /**
   * Passes the rows of a row group to the encoder, and collects the times and the rollups of its
   * chunks.
   */
  private static final class ToEncoder implements RowSource.Sink {
    private final RowGroupEncoder encoder;
    private final RollupBuilder builder;
    private final List<Series> numbered;
    private final List<RowSource.RowRange> ranges;
    private final RowSource source;
    private final List<ChunkTimes> times = new ArrayList<>();
    private final List<@Nullable RollupRows> rollups = new ArrayList<>();
    private ChunkTimes chunk = ChunkTimes.NONE;
    private boolean begun;
    private boolean building;

    ToEncoder(
        RowGroupEncoder encoder,
        RollupBuilder builder,
        List<Series> numbered,
        List<RowSource.RowRange> ranges,
        RowSource source) {
      this.encoder = encoder;
      this.builder = builder;
      this.numbered = numbered;
      this.ranges = ranges;
      this.source = source;
    }

    @Override
    public void series(int series) {
      end();
      Series of = numbered.get(series);
      encoder.channel(of.channel());
      chunk = ChunkTimes.NONE;
      begun = true;
      RowSource.RowRange range = ranges.get(times.size());
      building = Rollups.isOf(of.type(), of.waveform()) && Rollups.mayKeep(source.rows(series));
      if (building) {
        builder.begin(range.toRow() - range.fromRow(), range.fromRow());
      }
    }

    @Override
    public void rows(EventColumns batch) {
      chunk = chunk.and(batch);
      encoder.append(batch);
      if (building) {
        builder.add(batch, 0, batch.count);
      }
    }

    private void end() {
      if (begun) {
        times.add(chunk);
        rollups.add(building ? builder.end() : null);
        begun = false;
      }
    }

    List<ChunkTimes> times() {
      end();
      return times;
    }

    /** Returns the rollups of the ranges after the end of the row group. */
    List<RollupWriter.RowGroupRollup> rollups(EncodedRowGroup encoded) {
      List<RollupWriter.RowGroupRollup> all = new ArrayList<>();
      for (int i = 0; i < rollups.size(); i++) {
        Series series = numbered.get(ranges.get(i).series());
        long rows = ranges.get(i).toRow() - ranges.get(i).fromRow();
        long bytes = encoded.bytes() * rows / encoded.rows();
        all.add(
            new RollupWriter.RowGroupRollup(
                series.channel(), series.type(), rows, bytes, rollups.get(i)));
      }
      return all;
    }
  }
}
