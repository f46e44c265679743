package org.kblake.core.internal.store.chunk;

import java.io.IOException;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.RowCopies;
import org.kblake.core.internal.parquet.file.EventColumn;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.read.EventPageReader;
import org.kblake.core.internal.store.file.FileByteSource;

/**
 * The page that was decoded last, with the rows of all its chunks. Chunks of a few rows share a
 * page: who reads them in the order of the file decodes it once. Not thread safe.
 */
final class SharedPage {

  private static final EnumSet<EventColumn> ALL = EnumSet.allOf(EventColumn.class);

  private @Nullable EventColumns rows;

  /** The file that the rows are of; null if there are none. */
  private @Nullable FileByteSource file;

  private int rowGroup;

  /** As the row group counts its pages. */
  private int page;

  /** Whether others have rows in a page of a chunk. */
  static boolean isShared(RowGroupLayout layout, Chunk chunk, int page) {
    return !chunk.waveform()
        && (layout.pageRows()[page] < chunk.firstRow()
            || layout.pageRows()[page + 1] > chunk.firstRow() + chunk.rows());
  }

  /**
   * Replaces the columns' rows by those that a chunk has in a page.
   *
   * @param wanted the page, as the layout counts them
   * @param reader decodes the page, unless it was decoded for the chunk before
   * @return the first of the rows, counted from the row group's first
   */
  int read(
      EventPageReader reader,
      FileByteSource from,
      RowGroupLayout layout,
      Chunk chunk,
      int wanted,
      EventColumns into)
      throws IOException {
    EventColumns decoded = rows;
    if (decoded == null
        || file != from
        || rowGroup != chunk.rowGroup()
        || page != chunk.firstPage() + wanted) {
      file = null;
      if (decoded == null || decoded.type() != chunk.type()) {
        decoded = new EventColumns(chunk.type(), false, EventColumns.PAGE_ROWS);
        rows = decoded;
      }
      reader.read(from, layout, wanted, wanted + 1, ALL, decoded);
      file = from;
      rowGroup = chunk.rowGroup();
      page = chunk.firstPage() + wanted;
    }
    int origin = layout.pageRows()[wanted];
    int first = Math.max(origin, chunk.firstRow());
    int end = Math.min(layout.pageRows()[wanted + 1], chunk.firstRow() + chunk.rows());
    into.count = 0;
    RowCopies.append(decoded, first - origin, end - origin, into);
    return first;
  }
}
