package org.kblake.cli.format.parquet;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;

/** A column of small unsigned integers without nulls: state, severity or status. */
final class FactColumn extends FlatColumn {

  private final PlainElements elements;

  /**
   * @param vector a vector of uint8 or uint16
   */
  FactColumn(FieldVector vector) {
    super(List.of(PlainElements.leaf(vector.getName(), vector, false)), ColumnEncoding.PLAIN);
    elements = PlainElements.of(vector);
  }

  @Override
  int put(int rows, ByteOutput page) {
    for (int row = 0; row < rows; row++) {
      elements.put(row, page);
    }
    return rows;
  }
}
