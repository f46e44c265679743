package org.kblake.core.store.parquet;

/**
 * A row group ready to be written: its bytes, and what the footer and the chunk directory will say
 * of it, with offsets from the row group's first byte. Immutable; may go from one thread to
 * another.
 */
public final class EncodedRowGroup {

  /** Rows in the row group. */
  public int rows() {
    return 0;
  }

  /** Bytes that {@link EventFileWriter#append} writes. */
  public long bytes() {
    return 0;
  }
}
