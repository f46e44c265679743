package org.kblake.core.internal.parquet.file;

import org.kblake.core.columns.EventColumns;

/** The numbers that shape a file. */
public final class EventFormat {

  /** Rows of a page. */
  public static final int PAGE_ROWS = EventColumns.PAGE_ROWS;

  /** Bytes of plain values of a page, unless a single row has more. */
  public static final int PAGE_BYTES = 1 << 20;

  /** Bytes of plain values of a row: no archive has a longer event, and a page must hold it. */
  public static final int MAX_ROW_BYTES = 1 << 28;

  /**
   * A channel with this number of rows begins a new page, if the page before it is not a {@link
   * #SMALL_PAGE_ROWS small} one: what a page costs beside its rows must not outweigh them.
   */
  public static final int NEW_PAGE_ROWS = 512;

  /** Entries of a dictionary: beyond, indices are hardly shorter than values. */
  public static final int MAX_DICTIONARY = 1 << 16;

  /** Bytes of a dictionary page: the entries at their longest. */
  public static final long MAX_DICTIONARY_BYTES = 1 << 26;

  /** A page of fewer rows is filled up by the next channel. */
  public static final int SMALL_PAGE_ROWS = 2048;

  private EventFormat() {}
}
