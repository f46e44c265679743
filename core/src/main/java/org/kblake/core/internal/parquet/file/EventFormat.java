package org.kblake.core.internal.parquet.file;

import org.kblake.core.columns.EventColumns;

/** The limits of pages and dictionaries in a file. */
public final class EventFormat {

  /** The largest number of rows of a page. */
  public static final int PAGE_ROWS = EventColumns.PAGE_ROWS;

  /** The largest number of bytes of plain values of a page, unless a single row has more. */
  public static final int PAGE_BYTES = 1 << 20;

  /**
   * The largest number of bytes of plain values of a row. No archive has a longer event, and a page
   * must contain a whole row.
   */
  public static final int MAX_ROW_BYTES = 1 << 28;

  /**
   * A channel with this number of rows begins a new page, unless the page before it is {@link
   * #SMALL_PAGE_ROWS small}. With fewer rows, the header of a page and its index entries would take
   * more space than the rows.
   */
  public static final int NEW_PAGE_ROWS = 512;

  /**
   * The largest number of entries of a dictionary. With more entries, indices are hardly shorter
   * than values.
   */
  public static final int MAX_DICTIONARY = 1 << 16;

  /** The largest number of bytes of a dictionary page. */
  public static final long MAX_DICTIONARY_BYTES = 1 << 26;

  /** A page of fewer rows also takes rows of the next channel. */
  public static final int SMALL_PAGE_ROWS = 2048;

  private EventFormat() {}
}
