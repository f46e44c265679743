package org.kblake.cli.format.parquet;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.parquet.format.SchemaElement;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.SchemaElements;
import org.kblake.core.internal.parquet.read.ScalarLevels;

/** A column of values of one type, or of lists of them. A row without a value is null. */
final class ValueColumn extends FlatColumn {

  private final FieldVector vector;
  private final @Nullable ListVector lists;
  private final PlainElements elements;
  private final ByteOutput values = new ByteOutput(1 << 12);
  private int[] definitions = new int[256];
  private int[] repetitions = new int[256];
  private int entries;

  /** Creates the column of a vector's values, with the vector's name. */
  ValueColumn(FieldVector vector) {
    super(schema(vector), ColumnEncoding.PLAIN);
    this.vector = vector;
    lists = vector instanceof ListVector list ? list : null;
    elements = PlainElements.of(lists == null ? vector : lists.getDataVector());
  }

  private static List<SchemaElement> schema(FieldVector vector) {
    return vector instanceof ListVector list
        ? SchemaElements.list(
            vector.getName(), PlainElements.leaf("element", list.getDataVector(), false))
        : List.of(PlainElements.leaf(vector.getName(), vector, true));
  }

  @Override
  int put(int rows, ByteOutput page) {
    values.reset();
    entries = 0;
    for (int row = 0; row < rows; row++) {
      if (vector.isNull(row)) {
        addEntry(0, 0);
      } else if (lists == null) {
        addEntry(1, 0);
        elements.put(row, values);
      } else {
        addList(lists, row);
      }
    }
    if (lists != null) {
      ScalarLevels.put(repetitions, entries, 1, page);
    }
    ScalarLevels.put(definitions, entries, lists == null ? 1 : 2, page);
    page.write(values.bytes, 0, values.size);
    return entries;
  }

  private void addList(ListVector list, int row) {
    int start = list.getElementStartIndex(row);
    int end = list.getElementEndIndex(row);
    if (start == end) {
      addEntry(1, 0);
    }
    for (int i = start; i < end; i++) {
      addEntry(2, i == start ? 0 : 1);
      elements.put(i, values);
    }
  }

  private void addEntry(int definition, int repetition) {
    if (entries == definitions.length) {
      definitions = Arrays.copyOf(definitions, entries * 2);
      repetitions = Arrays.copyOf(repetitions, entries * 2);
    }
    definitions[entries] = definition;
    repetitions[entries++] = repetition;
  }
}
