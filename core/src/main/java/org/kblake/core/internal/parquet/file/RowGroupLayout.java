package org.kblake.core.internal.parquet.file;

import java.util.List;
import org.kblake.core.columns.EventColumn;

/**
 * The layout of a row group. All columns have their page breaks at the same rows.
 *
 * @param channels the channels in row order
 * @param pageRows the first row of each page, counted from the row group's first, and the row
 *     behind the last page; not copied
 * @param pageMinNanos the earliest time of each page's rows that are not strays, {@link
 *     Long#MAX_VALUE} if all are strays; not copied
 * @param pageMaxNanos the latest time of each page's rows that are not strays, {@link
 *     Long#MIN_VALUE} if all are strays; not copied
 * @param columns the columns in the order of {@link EventColumn}
 */
public record RowGroupLayout(
    List<ChannelRows> channels,
    int[] pageRows,
    long[] pageMinNanos,
    long[] pageMaxNanos,
    List<ColumnLayout> columns) {

  /** Returns the number of pages of each column. */
  public int pages() {
    return pageRows.length - 1;
  }

  /** Returns the number of rows. */
  public int rows() {
    return pageRows[pages()] - pageRows[0];
  }

  public ColumnLayout column(EventColumn column) {
    return columns.get(column.ordinal());
  }

  /**
   * Returns this row group without the constants, so that every column is read from its pages and
   * checked. This layout must have the positions of all columns.
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
