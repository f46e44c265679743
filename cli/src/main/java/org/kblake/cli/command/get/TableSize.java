package org.kblake.cli.command.get;

import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.format.argument.ByteSize;

/**
 * The size of a table with a row for each point, bin or event. It is known before the table is
 * read. The command itself writes any number of rows within its memory; a program that keeps the
 * whole table does not.
 */
final class TableSize {

  /** What a column takes: its vector, its fields in a schema, and the state of its reader. */
  private static final long COLUMN_BYTES = 2048;

  private TableSize() {}

  /**
   * Refuses a table that is too large.
   *
   * @param most the bytes that a table may have; null for any number
   * @param columns the columns, with that of the times; each cell has eight bytes or more
   * @throws RequestException if the table has more
   */
  static void require(@Nullable ByteSize most, long rows, long columns) {
    long mostColumns = Runtime.getRuntime().maxMemory() / COLUMN_BYTES;
    if (columns > mostColumns) {
      throw new RequestException(
          "the table has "
              + columns
              + " columns, and at most "
              + mostColumns
              + " fit in the heap; take fewer channels, figures or offsets, or a larger heap"
              + " (KBLAKE_JAVA_OPTS=-Xmx2g)");
    }
    if (most != null && rows > most.bytes() / Long.BYTES / columns) {
      double bytes = (double) rows * columns * Long.BYTES;
      throw new RequestException(
          "the table has "
              + rows
              + " rows of "
              + columns
              + " columns, at least "
              + new ByteSize((long) bytes)
              + ", and at most "
              + most
              + " are allowed (--memory); take a longer --every, a shorter range or fewer channels");
    }
  }
}
