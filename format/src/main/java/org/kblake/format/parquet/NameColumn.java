package org.kblake.format.parquet;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.parquet.format.Type;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.SchemaElements;

/**
 * A column of channels or groups. The answer's dictionary becomes the dictionary of each row group.
 */
final class NameColumn extends FlatColumn {

  private final IntVector indices;
  private final VarCharVector names;
  private int[] values = {};

  NameColumn(FieldVector indices, DictionaryProvider dictionaries) {
    super(
        List.of(
            SchemaElements.text(SchemaElements.leaf(indices.getName(), Type.BYTE_ARRAY, false))));
    this.indices = (IntVector) indices;
    this.names =
        (VarCharVector) dictionaries.lookup(indices.getField().getDictionary().getId()).getVector();
  }

  @Override
  int takeDictionary(ByteOutput page) {
    PlainElements elements = PlainElements.of(names);
    for (int i = 0; i < names.getValueCount(); i++) {
      elements.put(i, page);
    }
    return names.getValueCount();
  }

  @Override
  ColumnEncoding put(int rows, ByteOutput page) {
    if (values.length < rows) {
      values = new int[rows];
    }
    for (int row = 0; row < rows; row++) {
      values[row] = indices.get(row);
    }
    int width = HybridEncoding.width(names.getValueCount() - 1);
    page.write(width);
    HybridEncoding.encode(values, 0, rows, width, page);
    return ColumnEncoding.DICTIONARY;
  }
}
