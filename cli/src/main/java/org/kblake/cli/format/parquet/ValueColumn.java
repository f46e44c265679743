package org.kblake.cli.format.parquet;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.parquet.format.SchemaElement;
import org.jspecify.annotations.Nullable;

/** Values of one type, or lists of them; null where a row has none. */
final class ValueColumn implements FlatColumn {

  private final FieldVector vector;
  private final @Nullable ListVector lists;
  private final PlainElements elements;
  private final List<SchemaElement> schema;
  private final ChunkPages pages;
  private final PageBytes page = new PageBytes();
  private final PageBytes body = new PageBytes();
  private int[] definitions = new int[1024];
  private int[] repetitions = new int[1024];
  private int entries;

  /** The column of a vector's values, named after it. */
  ValueColumn(FieldVector vector) {
    this.vector = vector;
    lists = vector instanceof ListVector list ? list : null;
    FieldVector values = lists == null ? vector : lists.getDataVector();
    elements = PlainElements.of(values);
    String name = vector.getName();
    if (lists == null) {
      SchemaElement leaf = PlainElements.leaf(name, values, true);
      schema = List.of(leaf);
      pages = new ChunkPages(leaf.getType(), List.of(name));
    } else {
      SchemaElement leaf = PlainElements.leaf("element", values, false);
      schema = SchemaElements.list(name, leaf);
      pages = new ChunkPages(leaf.getType(), List.of(name, "list", "element"));
    }
  }

  @Override
  public List<SchemaElement> schema() {
    return schema;
  }

  @Override
  public void addPage(int rows) throws IOException {
    body.size = 0;
    entries = 0;
    for (int row = 0; row < rows; row++) {
      if (vector.isNull(row)) {
        addEntry(0, 0);
      } else if (lists == null) {
        addEntry(1, 0);
        elements.put(row, body);
      } else {
        addList(lists, row);
      }
    }
    page.size = 0;
    if (lists != null) {
      Runs.putLevels(repetitions, entries, 1, page);
    }
    Runs.putLevels(definitions, entries, lists == null ? 1 : 2, page);
    page.put(body.bytes, 0, body.size);
    pages.data(page, entries);
  }

  private void addList(ListVector values, int row) {
    int start = values.getElementStartIndex(row);
    int end = values.getElementEndIndex(row);
    if (start == end) {
      addEntry(1, 0);
    }
    for (int i = start; i < end; i++) {
      addEntry(2, i == start ? 0 : 1);
      elements.put(i, body);
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

  @Override
  public ChunkPages pages() {
    return pages;
  }
}
