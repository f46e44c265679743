package org.kblake.core.internal.parquet.file;

import java.util.List;

/**
 * What a row group holds and where. Every column breaks its pages at the same rows.
 *
 * @param channels in row order
 * @param pageRows the first row of each page, counted from the row group's first, and at last the
 *     row behind the last page; not copied
 * @param pageMinNanos the earliest time of each page's rows that are not strays, {@link
 *     Long#MAX_VALUE} if there is none; not copied
 * @param pageMaxNanos the latest, {@link Long#MIN_VALUE} if there is none; not copied
 * @param columns in the order of {@link EventColumn}
 */
public record RowGroupLayout(
    List<ChannelRows> channels,
    int[] pageRows,
    long[] pageMinNanos,
    long[] pageMaxNanos,
    List<ColumnLayout> columns) {

  /** The number of pages of each column. */
  public int pages() {
    return pageRows.length - 1;
  }

  /** The number of rows. */
  public int rows() {
    return pageRows[pages()] - pageRows[0];
  }

  public ColumnLayout column(EventColumn column) {
    return columns.get(column.ordinal());
  }

  /**
   * The same row group with nothing known of constants: every column is read from its pages, and so
   * checked. Needs the locations of all columns.
   */
  public RowGroupLayout withoutConstants() {
    return new RowGroupLayout(
        channels,
        pageRows,
        pageMinNanos,
        pageMaxNanos,
        columns.stream().map(ColumnLayout::withoutConstant).toList());
  }
}
