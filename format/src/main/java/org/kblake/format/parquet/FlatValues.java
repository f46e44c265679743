package org.kblake.format.parquet;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.parquet.format.SchemaElement;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.SchemaElements;
import org.kblake.core.internal.parquet.read.ScalarLevels;

/** A column of values of one type, or of lists of them. A row without a value is null. */
final class FlatValues extends FlatColumn {

  private final FieldVector vector;
  private final @Nullable ListVector lists;
  private final PlainElements elements;
  private final VectorNumbers numbers;

  /** Null for texts and lists, whose elements are plain. */
  private final @Nullable NumberPages pages;

  private final ByteOutput values = new ByteOutput(FIRST_BYTES);
  private int[] definitions = new int[FIRST_BYTES];
  private int[] repetitions = new int[FIRST_BYTES];
  private int entries;

  /** Creates the column of a vector's values, with the vector's name. */
  FlatValues(FieldVector vector) {
    super(schema(vector));
    this.vector = vector;
    lists = vector instanceof ListVector list ? list : null;
    elements = PlainElements.of(lists == null ? vector : lists.getDataVector());
    numbers = new VectorNumbers(vector);
    boolean plain = lists != null || vector instanceof VarCharVector;
    pages = plain ? null : new NumberPages(numbers.kind());
  }

  private static List<SchemaElement> schema(FieldVector vector) {
    return vector instanceof ListVector list
        ? SchemaElements.list(
            vector.getName(), PlainElements.leaf("element", list.getDataVector(), false))
        : List.of(PlainElements.leaf(vector.getName(), vector, true));
  }

  @Override
  ColumnEncoding put(int rows, ByteOutput page) {
    values.reset();
    entries = 0;
    for (int row = 0; row < rows; row++) {
      if (vector.isNull(row)) {
        addEntry(0, 0);
      } else if (lists != null) {
        addList(lists, row);
      } else {
        addEntry(1, 0);
        if (pages == null) {
          elements.put(row, values);
        }
      }
    }
    if (lists != null) {
      ScalarLevels.put(repetitions, entries, 1, page);
    }
    ScalarLevels.put(definitions, entries, lists == null ? 1 : 2, page);
    if (pages != null) {
      long[] read = numbers.read(rows);
      return pages.put(read, withoutNulls(read, rows), page);
    }
    page.write(values.bytes, 0, values.size);
    return ColumnEncoding.PLAIN;
  }

  /** Moves the numbers of rows with a value to the begin, and returns how many they are. */
  private int withoutNulls(long[] read, int rows) {
    int count = 0;
    for (int row = 0; row < rows; row++) {
      read[count] = read[row];
      count += definitions[row];
    }
    return count;
  }

  @Override
  int entries(int rows) {
    return entries;
  }

  @Override
  long dictionaryBytes() {
    return pages == null ? 0 : pages.dictionaryBytes();
  }

  @Override
  int takeDictionary(ByteOutput page) {
    return pages == null ? 0 : pages.takeDictionary(page);
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
