package org.kblake.core.internal.parquet.file;

import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.page.Codec;

/**
 * Where a column chunk lies and what is known of it without reading it.
 *
 * <pre>
 *   offset            offset + pageStarts[0]   offset + pageStarts[1]      offset + pageStarts[n]
 *   | dictionary page | ...                    | page 0         | page 1 .. |
 * </pre>
 *
 * A layout may list some of the row group's pages only; {@code pageStarts} then begins with the
 * first of them.
 *
 * @param encoding of every page
 * @param codec of every page
 * @param constant what every row holds, as in {@link org.kblake.core.columns.EventColumns}, if they
 *     all hold the same and it is a number; such a column need not be read, and its locations may
 *     be missing here
 * @param offset where the chunk begins in the file
 * @param dictionaryBytes length of the dictionary page with its header, 0 if there is none
 * @param pageStarts where pages begin (with their headers), in bytes from {@code offset}; one more
 *     than pages; not copied
 */
public record ColumnLayout(
    ColumnEncoding encoding,
    Codec codec,
    @Nullable Long constant,
    long offset,
    int dictionaryBytes,
    int[] pageStarts) {

  /** Length of the chunk, headers and dictionary included, if every page is listed. */
  public int bytes() {
    return pageStarts.length == 0 ? 0 : pageStarts[pageStarts.length - 1];
  }

  /** Where a listed page begins in the file. */
  public long pageOffset(int page) {
    return offset + pageStarts[page];
  }

  /** Length of a listed page, with its header. */
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
