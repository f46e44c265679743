package org.kblake.core.internal.parquet.write;

import java.util.List;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.RowGroupLayout;

/**
 * A row group ready to be written: its bytes, and its metadata for the footer and the chunk
 * directory. Offsets are counted from the row group's first byte. Immutable, may be passed between
 * threads.
 */
public final class EncodedRowGroup {

  private final EventFileSchema schema;
  private final byte[] bytes;
  private final List<EncodedColumn> columns;
  private final RowGroupLayout layout;

  /**
   * @param columns the columns in the schema's order
   * @param layout the layout without columns
   */
  EncodedRowGroup(
      EventFileSchema schema, byte[] bytes, List<EncodedColumn> columns, RowGroupLayout layout) {
    this.schema = schema;
    this.bytes = bytes;
    this.columns = columns;
    this.layout = layout;
  }

  EventFileSchema schema() {
    return schema;
  }

  byte[] content() {
    return bytes;
  }

  List<EncodedColumn> columns() {
    return columns;
  }

  public RowGroupLayout layout() {
    return layout;
  }

  /** Returns the size in bytes. */
  public int bytes() {
    return bytes.length;
  }

  /** Returns the number of rows. */
  public int rows() {
    return layout.rows();
  }
}
