package org.kblake.cli.format.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/**
 * Values, null where a row has none or one of another kind. Parquet has no unions, so an answer of
 * several types has a column for each kind of value that occurs, in the order of {@link Kind};
 * numbers of several types become doubles. An answer of one kind has a column {@code value}.
 */
final class ValueColumn implements FlatColumn {

  private enum Kind {
    NUMBER("value"),
    TEXT("value_text"),
    NUMBER_LIST("value_list"),
    TEXT_LIST("value_text_list");

    private final String column;

    Kind(String column) {
      this.column = column;
    }

    static Kind of(FieldVector vector) {
      if (vector instanceof ListVector list) {
        return list.getDataVector() instanceof VarCharVector ? TEXT_LIST : NUMBER_LIST;
      }
      return vector instanceof VarCharVector ? TEXT : NUMBER;
    }

    boolean isList() {
      return this == NUMBER_LIST || this == TEXT_LIST;
    }
  }

  /** A vector of values of this column's kind. */
  private record Source(FieldVector vector, PlainElements elements) {}

  private final List<SchemaElement> schema;
  private final boolean list;
  private final @Nullable DenseUnionVector union;
  private final @Nullable Source[] sources;
  private final ChunkPages pages;
  private final PageBytes page = new PageBytes();
  private final PageBytes body = new PageBytes();
  private int[] definitions = new int[1024];
  private int[] repetitions = new int[1024];
  private int entries;

  /** The columns that the values of an answer need. */
  static List<FlatColumn> of(FieldVector values) {
    if (!(values instanceof DenseUnionVector union)) {
      Kind kind = Kind.of(values);
      return List.of(new ValueColumn(Kind.NUMBER.column, kind, values, null, List.of(values)));
    }
    Map<Kind, List<FieldVector>> byKind = new EnumMap<>(Kind.class);
    for (FieldVector child : union.getChildrenFromFields()) {
      byKind.computeIfAbsent(Kind.of(child), kind -> new ArrayList<>()).add(child);
    }
    List<FlatColumn> columns = new ArrayList<>();
    byKind.forEach(
        (kind, children) -> {
          String name = byKind.size() == 1 ? Kind.NUMBER.column : kind.column;
          columns.add(new ValueColumn(name, kind, values, union, children));
        });
    return columns;
  }

  /** The column of values of one kind that has the vector's name. */
  static FlatColumn named(FieldVector values) {
    return new ValueColumn(values.getName(), Kind.of(values), values, null, List.of(values));
  }

  private ValueColumn(
      String name,
      Kind kind,
      FieldVector values,
      @Nullable DenseUnionVector union,
      List<FieldVector> vectors) {
    this.list = kind.isList();
    this.union = union;
    this.sources = new Source[union == null ? 1 : Byte.MAX_VALUE + 1];
    boolean asDoubles = vectors.size() > 1;
    for (int typeId = 0; typeId < sources.length; typeId++) {
      FieldVector vector =
          union == null ? values : (FieldVector) union.getVectorByType((byte) typeId);
      if (vector != null && vectors.contains(vector)) {
        FieldVector elements = elementsOf(vector);
        sources[typeId] =
            new Source(
                vector, asDoubles ? PlainElements.asDoubles(elements) : PlainElements.of(elements));
      }
    }
    String leafName = list ? "element" : name;
    SchemaElement leaf =
        asDoubles
            ? SchemaElements.leaf(leafName, Type.DOUBLE, !list)
            : PlainElements.leaf(leafName, elementsOf(vectors.get(0)), !list);
    this.schema = list ? SchemaElements.list(name, leaf) : List.of(leaf);
    this.pages =
        new ChunkPages(leaf.getType(), list ? List.of(name, "list", "element") : List.of(name));
  }

  private static FieldVector elementsOf(FieldVector vector) {
    return vector instanceof ListVector lists ? lists.getDataVector() : vector;
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
      Source source = union == null ? sources[0] : sources[union.getTypeId(row)];
      int index = union == null ? row : union.getOffset(row);
      if (source == null || source.vector.isNull(index)) {
        addEntry(0, 0);
      } else if (list) {
        addList((ListVector) source.vector, index, source.elements);
      } else {
        addEntry(1, 0);
        source.elements.put(index, body);
      }
    }
    page.size = 0;
    if (list) {
      Runs.putLevels(repetitions, entries, 1, page);
    }
    Runs.putLevels(definitions, entries, list ? 2 : 1, page);
    page.put(body.bytes, 0, body.size);
    pages.data(page, entries);
  }

  private void addList(ListVector lists, int index, PlainElements elements) {
    int start = lists.getElementStartIndex(index);
    int end = lists.getElementEndIndex(index);
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
