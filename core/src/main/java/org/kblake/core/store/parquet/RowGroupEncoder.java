package org.kblake.core.store.parquet;

import org.kblake.core.model.ValueType;
import org.kblake.core.store.EventColumns;

/**
 * Collects the rows of a row group and encodes them. Reusable, not thread safe: one per encoding
 * thread. Holds the rows of one row group, so {@link RowGroupPlan}'s limits bound its memory.
 */
public final class RowGroupEncoder {

  /** Begins a row group; what was collected before and not finished is dropped. */
  public void begin(ValueType type, boolean waveform, WriteProfile profile) {}

  /** Begins the rows of a channel. A channel without rows leaves nothing behind. */
  public void channel(String name) {}

  /**
   * Adds rows of the current channel, in log order. They are copied.
   *
   * @throws IllegalStateException if no channel was begun
   */
  public void append(EventColumns rows) {
    append(rows, 0, rows.count);
  }

  /** Adds some rows of the current channel, in log order. They are copied. */
  public void append(EventColumns rows, int from, int to) {}

  /** Rows collected so far. */
  public int rows() {
    return 0;
  }

  /**
   * Encodes what was collected.
   *
   * @throws IllegalStateException if there are no rows
   */
  public EncodedRowGroup finish() {
    return new EncodedRowGroup();
  }
}
