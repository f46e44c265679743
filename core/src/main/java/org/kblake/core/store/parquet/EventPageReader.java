package org.kblake.core.store.parquet;

import java.io.IOException;
import java.util.Set;
import org.kblake.core.store.CorruptBlockException;
import org.kblake.core.store.EventColumns;

/**
 * Decodes pages of a row group into columns. Reusable for any file, not thread safe. Keeps its
 * buffers and the dictionaries of the row group it read last.
 *
 * <p>What is wanted of a row group is fetched with at most one read per column, neighbours in one
 * read together. Every page's checksum and every length is checked before it is believed.
 */
public final class EventPageReader {

  /**
   * Replaces what is in the columns by whole pages of a row group.
   *
   * @param source the file
   * @param rowGroup where its pages are
   * @param firstPage the first page, as the layout counts them
   * @param endPage the page behind the last
   * @param wanted columns to decode; the arrays of others keep what they hold, {@link
   *     EventColumn#CHANNEL} is ignored
   * @param into of the file's type
   * @throws CorruptBlockException if a page is not what was written
   */
  public void read(
      ByteSource source,
      RowGroupLayout rowGroup,
      int firstPage,
      int endPage,
      Set<EventColumn> wanted,
      EventColumns into)
      throws IOException {}
}
