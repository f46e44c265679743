package org.kblake.core.internal.parquet.file;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.Codec;

/**
 * The position of a column chunk, and its properties that are known without reading it.
 *
 * <pre>
 *   offset            offset + pageStarts[0]   offset + pageStarts[1]      offset + pageStarts[n]
 *   | dictionary page | ...                    | page 0         | page 1 .. |
 * </pre>
 *
 * A layout may list some of the row group's pages only. Then {@code pageStarts} begins with the
 * first of them.
 *
 * @param encoding the encoding of every page
 * @param codec the codec of every page
 * @param constant the number that all rows have, as in {@link
 *     org.kblake.core.columns.EventColumns}, or null if rows differ or are not numbers; a constant
 *     column need not be read, and its positions may be missing here
 * @param offset the position of the chunk in the file
 * @param dictionaryBytes length of the dictionary page with its header, 0 if there is none
 * @param pageStarts the begin of each page with its header, in bytes from {@code offset}, and the
 *     end of the last page; not copied
 */
public record ColumnLayout(
    ColumnEncoding encoding,
    Codec codec,
    @Nullable Long constant,
    long offset,
    int dictionaryBytes,
    int[] pageStarts) {

  /** Returns the length of the chunk with headers and dictionary, if every page is listed. */
  public int bytes() {
    return pageStarts.length == 0 ? 0 : pageStarts[pageStarts.length - 1];
  }

  /** Returns the position of a listed page in the file. */
  public long pageOffset(int page) {
    return offset + pageStarts[page];
  }

  /** Returns the length of a listed page with its header. */
  public int pageBytes(int page) {
    return pageStarts[page + 1] - pageStarts[page];
  }

  public ColumnLayout movedBy(long bytes) {
    return new ColumnLayout(encoding, codec, constant, offset + bytes, dictionaryBytes, pageStarts);
  }

  ColumnLayout withoutConstant() {
    return new ColumnLayout(encoding, codec, null, offset, dictionaryBytes, pageStarts);
  }
}
