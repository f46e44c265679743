package org.kblake.core.store.parquet;

import org.kblake.core.store.EventColumns;

/** The numbers that shape a file. */
final class EventFormat {

  /** Rows of a page. */
  static final int PAGE_ROWS = EventColumns.PAGE_ROWS;

  /** Bytes of values of a page, unless a single row has more. */
  static final int PAGE_BYTES = 1 << 20;

  /** A channel with so many rows begins a new page. */
  static final int NEW_PAGE_ROWS = 512;

  private EventFormat() {}
}
