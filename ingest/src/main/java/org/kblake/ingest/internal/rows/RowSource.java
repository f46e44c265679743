package org.kblake.ingest.internal.rows;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.kblake.core.columns.EventColumns;

/**
 * Rows of many series, each in log order, that are to be encoded. Series are known by their
 * numbers. Many threads may read.
 */
public interface RowSource {

  /**
   * Some of a series' rows.
   *
   * @param fromRow counted from the series' first row
   * @param toRow the row behind the last
   */
  record Part(int series, long fromRow, long toRow) {}

  /** Takes rows in. */
  interface Sink {
    /** The rows that follow are of this series. */
    void series(int series);

    /** The next rows, valid during the call. */
    void rows(EventColumns batch);
  }

  /** Rows of a series. */
  long rows(int series);

  /** Bytes that the values of a series take in {@link EventColumns}. */
  long bytes(int series);

  /** Bytes that the longest of these values takes, at least 1. */
  long longestRow(int series);

  /**
   * How many row groups are to be opened together.
   *
   * @param rowGroups parts of series of one type
   * @return of those from one on, at least 1
   */
  int together(List<List<Part>> rowGroups, int from);

  /**
   * Makes rows ready to be handed out.
   *
   * @param rowGroups as many as {@link #together} says
   */
  Rows open(List<List<Part>> rowGroups) throws IOException;

  /** Rows that are ready. For one thread. */
  interface Rows extends Closeable {
    /**
     * Hands out the rows of a row group, part by part.
     *
     * @param rowGroup one of those that were opened
     * @param batch of its type, to be used for it
     */
    void feed(List<Part> rowGroup, EventColumns batch, Sink sink) throws IOException;
  }
}
