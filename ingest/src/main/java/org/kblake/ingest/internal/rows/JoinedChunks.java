package org.kblake.ingest.internal.rows;

import java.io.IOException;
import java.util.Arrays;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.core.model.TimeRange;

/**
 * Chunks of a row group that share pages and are read together. Hundreds of silent channels share a
 * page, which is then decoded once. Not thread safe.
 */
public final class JoinedChunks {

  /** Receives rows of a series. */
  @FunctionalInterface
  public interface Taker {
    /**
     * @param batch valid during the call
     * @param toRow the row after the last
     */
    void rows(int series, EventColumns batch, int fromRow, int toRow) throws IOException;
  }

  private final Chunk first;
  private int endPage;
  private int[] series = new int[4];
  private int[] firstRows = new int[4];
  private int[] endRows = new int[4];
  private int size;

  /** Begins with a chunk. */
  public JoinedChunks(Chunk first, int firstSeries) {
    this.first = first;
    add(first, firstSeries);
  }

  /** Returns whether a later chunk shares a page with these. */
  public boolean reaches(Chunk next) {
    return next.rowGroup() == first.rowGroup() && next.firstPage() < endPage;
  }

  /** Adds a later chunk. */
  public void add(Chunk next, int seriesOfNext) {
    if (size == series.length) {
      series = Arrays.copyOf(series, 2 * size);
      firstRows = Arrays.copyOf(firstRows, 2 * size);
      endRows = Arrays.copyOf(endRows, 2 * size);
    }
    series[size] = seriesOfNext;
    firstRows[size] = next.firstRow();
    endRows[size] = next.firstRow() + next.rows();
    endPage = next.firstPage() + next.pages();
    size++;
  }

  /** Returns the first chunk. */
  public Chunk first() {
    return first;
  }

  /**
   * Reads the rows of the chunks, from pages that may have rows of a range.
   *
   * @param batch a batch of their type, which is overwritten
   * @throws CorruptBlockException if the range is {@link TimeRange#ALL} and the block lacks rows
   */
  public void read(
      ChunkReader reader, Block block, TimeRange range, EventColumns batch, Taker taker)
      throws IOException {
    reader.openRows(block.chunks(), span(), range);
    int chunk = 0;
    long taken = 0;
    while (reader.next(batch)) {
      int batchRow = reader.firstRow();
      int batchEnd = batchRow + batch.count;
      while (chunk < size && endRows[chunk] <= batchRow) {
        chunk++;
      }
      for (int i = chunk; i < size && firstRows[i] < batchEnd; i++) {
        int from = Math.max(firstRows[i], batchRow) - batchRow;
        int to = Math.min(endRows[i], batchEnd) - batchRow;
        taker.rows(series[i], batch, from, to);
        taken += to - from;
      }
    }
    if (range.equals(TimeRange.ALL) && taken != rows()) {
      throw new CorruptBlockException(
          block.directory(),
          0,
          taken + " rows from " + first.channel() + " on",
          rows() + " rows as the chunk directory says");
    }
  }

  private long rows() {
    long rows = 0;
    for (int i = 0; i < size; i++) {
      rows += endRows[i] - firstRows[i];
    }
    return rows;
  }

  private Chunk span() {
    return new Chunk(
        first.channel(),
        first.type(),
        first.waveform(),
        first.rowGroup(),
        first.firstRow(),
        endRows[size - 1] - first.firstRow(),
        first.firstPage(),
        endPage - first.firstPage(),
        first.firstNanos(),
        first.lastNanos(),
        first.firstValueNanos());
  }
}
