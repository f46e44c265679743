package org.kblake.format.parquet;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;

/** A column of small unsigned integers without nulls: state, severity or status. */
final class FactColumn extends FlatColumn {

  private final VectorNumbers numbers;
  private final NumberPages pages;

  /**
   * @param vector a vector of uint8 or uint16
   */
  FactColumn(FieldVector vector) {
    super(List.of(PlainElements.leaf(vector.getName(), vector, false)));
    numbers = new VectorNumbers(vector);
    pages = new NumberPages(numbers.kind());
  }

  @Override
  ColumnEncoding put(int rows, ByteOutput page) {
    return pages.put(numbers.read(rows), rows, page);
  }

  @Override
  int takeDictionary(ByteOutput page) {
    return pages.takeDictionary(page);
  }
}
