package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.rows.JoinedChunks;
import org.kblake.ingest.internal.rows.LogOrder;
import org.kblake.ingest.internal.rows.ReaderPool;
import org.kblake.ingest.internal.rows.RowMemory;
import org.kblake.ingest.internal.rows.RowSource;
import org.kblake.ingest.internal.rows.ScatteredRows;
import org.kblake.ingest.internal.rows.Series;

/**
 * Reads the rows of a block, those of several segments at a time, as many as fit into memory. The
 * caller closes it. Not thread safe.
 */
final class BlockRows implements AutoCloseable {

  private final Block block;
  private final ReaderPool readers;
  private final long memoryBytes;
  private final ScatteredRows rows;
  private final List<Series> series = new ArrayList<>();
  private final Map<Series, Integer> seriesNumbers = new HashMap<>();
  private final Map<Series, EventColumns> batches = new HashMap<>();
  private final List<JoinedChunks> joined;
  private final ChunkReader reader;
  private boolean hasLongValues;

  BlockRows(Block block, RowMemory memory, ReaderPool readers) throws IOException {
    this.block = block;
    this.readers = readers;
    memoryBytes = memory.budgetBytes();
    rows = new ScatteredRows(memory);
    joined = joined(block.chunks().all());
    reader = readers.take();
  }

  /** Returns all series of the block. Rows have the numbers of their series in this list. */
  List<Series> series() {
    return series;
  }

  /** Returns the rows that were read last. */
  RowSource rows() {
    return rows;
  }

  /** Returns the rows that were read last in the order of the log. */
  LogOrder inLogOrder() {
    return new LogOrder(rows, series.size());
  }

  private int number(Series of) {
    return seriesNumbers.computeIfAbsent(
        of,
        added -> {
          series.add(added);
          return series.size() - 1;
        });
  }

  /** Returns the chunks in file order. Chunks that share pages are joined. */
  private List<JoinedChunks> joined(List<Chunk> chunks) {
    List<Chunk> inFileOrder = new ArrayList<>(chunks);
    inFileOrder.sort(Comparator.comparingInt(Chunk::rowGroup).thenComparingInt(Chunk::firstRow));
    List<JoinedChunks> found = new ArrayList<>();
    for (Chunk chunk : inFileOrder) {
      int number = number(new Series(chunk.channel(), chunk.type(), chunk.waveform()));
      JoinedChunks last = found.isEmpty() ? null : found.get(found.size() - 1);
      if (last != null && last.reaches(chunk)) {
        last.add(chunk, number);
      } else {
        found.add(new JoinedChunks(chunk, number));
      }
      hasLongValues |= chunk.waveform() || chunk.type() == ValueType.STRING;
    }
    return found;
  }

  /**
   * Returns the bytes of memory that a segment's rows take. Long values take no more than in the
   * log.
   */
  private long rowBytes(StoredSegment segment) {
    long bytes = (long) segment.events() * ScatteredRows.BYTES_PER_ROW;
    return hasLongValues ? Math.max(bytes, segment.bytes()) : bytes;
  }

  /**
   * Reads the rows of the next segments, at least of one, in place of those that were read before.
   *
   * @param from the number of the first of them, whose rows get the segment number 0
   * @return the number of the segment behind them
   */
  int read(List<StoredSegment> segments, int from) throws IOException {
    int to = from + 1;
    long bytes = rowBytes(segments.get(from));
    while (to < segments.size() && bytes + rowBytes(segments.get(to)) <= memoryBytes) {
      bytes += rowBytes(segments.get(to));
      to++;
    }
    rows.clear();
    read(segments, from, to);
    return to;
  }

  private void read(List<StoredSegment> segments, int from, int to) throws IOException {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (StoredSegment segment : segments.subList(from, to)) {
      first = Math.min(first, segment.firstNanos());
      last = Math.max(last, segment.lastNanos());
    }
    TimeRange range = first <= last ? new TimeRange(first, last + 1) : new TimeRange(0, 0);
    JoinedChunks.Taker taker =
        (number, batch, fromRow, toRow) -> {
          for (int row = fromRow; row < toRow; row++) {
            int segment = batch.segment[row];
            if (segment >= from && segment < to) {
              rows.add(number, batch, row, segment - from);
            }
          }
        };
    for (JoinedChunks each : joined) {
      each.read(reader, block, range, batch(each.first()), taker);
    }
  }

  /** Returns the batch that all chunks of a type share. */
  private EventColumns batch(Chunk of) {
    return batches.computeIfAbsent(
        new Series("", of.type(), of.waveform()),
        it -> new EventColumns(it.type(), it.waveform(), EventColumns.PAGE_ROWS));
  }

  @Override
  public void close() throws IOException {
    rows.clear();
    readers.giveBack(reader);
  }
}
