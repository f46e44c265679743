package org.kblake.ingest.internal.rows;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.kblake.core.columns.EventColumns;

/**
 * A source of the rows of many series, each in log order, for encoding. Series have numbers. Many
 * threads may read.
 */
public interface RowSource {

  /**
   * A range of rows of a series.
   *
   * @param fromRow the first row, counted from the series' first
   * @param toRow the row after the last
   */
  record RowRange(int series, long fromRow, long toRow) {}

  /** Receives rows. */
  interface Sink {
    /** Begins a series. The next rows belong to it. */
    void series(int series);

    /** Receives the next rows, which are valid during the call. */
    void rows(EventColumns batch);
  }

  /** Returns the number of rows of a series. */
  long rows(int series);

  /** Returns the bytes that the values of a series take in {@link EventColumns}. */
  long bytes(int series);

  /** Returns the bytes of the longest of these values, at least 1. */
  long longestRow(int series);

  /**
   * Returns the number of row groups to open together.
   *
   * @param rowGroups row groups of one type
   * @return the number of row groups, counted from {@code from}, at least 1
   */
  int together(List<List<RowRange>> rowGroups, int from);

  /**
   * Prepares the rows of some row groups.
   *
   * @param rowGroups the number that {@link #together} returned
   */
  Rows open(List<List<RowRange>> rowGroups) throws IOException;

  /** Prepared rows. For one thread. */
  interface Rows extends Closeable {
    /**
     * Passes the rows of a row group to a sink, range by range.
     *
     * @param rowGroup one of the prepared row groups
     * @param batch a batch of its type, which is overwritten
     */
    void feed(List<RowRange> rowGroup, EventColumns batch, Sink sink) throws IOException;
  }
}
