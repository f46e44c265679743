package org.kblake.core.store.parquet;

import org.kblake.core.store.EventColumns;

/** The numbers that shape a file. */
final class EventFormat {

  /** Rows of a page. */
  static final int PAGE_ROWS = EventColumns.PAGE_ROWS;

  /** Bytes of plain values of a page, unless a single row has more. */
  static final int PAGE_BYTES = 1 << 20;

  /** Bytes of plain values of a row: no archive has a longer event, and a page must hold it. */
  static final int MAX_ROW_BYTES = 1 << 28;

  /**
   * A channel with so many rows begins a new page, if the page before it is not a {@link
   * #SMALL_PAGE_ROWS small} one: what a page costs beside its rows must not outweigh them.
   */
  static final int NEW_PAGE_ROWS = 512;

  /** Entries of a dictionary: beyond, indices are hardly shorter than values. */
  static final int MAX_DICTIONARY = 1 << 16;

  /** Bytes of a dictionary page: the entries at their longest. */
  static final long MAX_DICTIONARY_BYTES = 1 << 26;

  /** A page of fewer rows is filled up by the next channel. */
  static final int SMALL_PAGE_ROWS = 2048;

  private EventFormat() {}
}
