package org.kblake.format.parquet;

import java.util.List;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.format.Type;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.SchemaElements;

/** The column that marks strays. Parquet packs booleans as Arrow does, so the buffer is copied. */
final class StrayColumn extends FlatColumn {

  private final BitVector vector;

  StrayColumn(FieldVector vector) {
    super(List.of(SchemaElements.leaf(vector.getName(), Type.BOOLEAN, false)));
    this.vector = (BitVector) vector;
  }

  @Override
  ColumnEncoding put(int rows, ByteOutput page) {
    int bytes = (rows + 7) / 8;
    page.ensure(bytes);
    vector.getDataBuffer().getBytes(0, page.bytes, 0, bytes);
    page.size = bytes;
    return ColumnEncoding.PLAIN;
  }
}
