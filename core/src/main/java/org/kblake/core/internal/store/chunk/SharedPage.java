package org.kblake.core.internal.store.chunk;

import java.io.IOException;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.read.EventPageReader;
import org.kblake.core.internal.store.file.FileByteSource;

/**
 * The page that was decoded last, with the rows of all its chunks. Small chunks share a page. If
 * they are read in the order of the file, each page is decoded once. Not thread safe.
 */
final class SharedPage {

  private @Nullable EventColumns rows;

  /** The file of the rows; null if no page is decoded. */
  private @Nullable FileByteSource file;

  private int rowGroup;

  /** The page's number in the row group. */
  private int page;

  private EnumSet<EventColumn> columns = EnumSet.noneOf(EventColumn.class);

  /** Returns whether other chunks have rows in a page of a chunk. */
  static boolean isShared(RowGroupLayout layout, Chunk chunk, int page) {
    return !chunk.waveform()
        && (layout.pageRows()[page] < chunk.firstRow()
            || layout.pageRows()[page + 1] > chunk.firstRow() + chunk.rows());
  }

  /**
   * Replaces the columns' rows by a chunk's rows in a page.
   *
   * @param wanted the page, by its number in the layout
   * @param reader decodes the page, unless it was decoded for the previous chunk
   * @param decode the columns to decode
   * @return the position of the first row, counted from the row group's first
   */
  int read(
      EventPageReader reader,
      FileByteSource from,
      RowGroupLayout layout,
      Chunk chunk,
      int wanted,
      EnumSet<EventColumn> decode,
      EventColumns into)
      throws IOException {
    EventColumns decoded = rows;
    if (decoded == null
        || file != from
        || rowGroup != chunk.rowGroup()
        || page != chunk.firstPage() + wanted
        || !columns.containsAll(decode)) {
      file = null;
      if (decoded == null || decoded.type() != chunk.type()) {
        decoded = new EventColumns(chunk.type(), false, EventColumns.PAGE_ROWS);
        rows = decoded;
      }
      reader.read(from, layout, wanted, wanted + 1, decode, decoded);
      columns = EnumSet.copyOf(decode);
      file = from;
      rowGroup = chunk.rowGroup();
      page = chunk.firstPage() + wanted;
    }
    int origin = layout.pageRows()[wanted];
    int first = Math.max(origin, chunk.firstRow());
    int end = Math.min(layout.pageRows()[wanted + 1], chunk.firstRow() + chunk.rows());
    into.count = 0;
    into.append(decoded, first - origin, end - origin);
    return first;
  }
}
