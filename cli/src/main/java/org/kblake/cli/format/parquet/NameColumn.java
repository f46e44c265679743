package org.kblake.cli.format.parquet;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;

/** Channels or groups: the answer's dictionary becomes that of each row group. */
final class NameColumn implements FlatColumn {

  private final String name;
  private final IntVector indices;
  private final VarCharVector names;
  private final ChunkPages pages;
  private final PageBytes page = new PageBytes();
  private int[] values = {};

  NameColumn(FieldVector indices, DictionaryProvider dictionaries) {
    this.name = indices.getName();
    this.indices = (IntVector) indices;
    this.names =
        (VarCharVector) dictionaries.lookup(indices.getField().getDictionary().getId()).getVector();
    this.pages = new ChunkPages(Type.BYTE_ARRAY, List.of(name));
  }

  @Override
  public List<SchemaElement> schema() {
    return List.of(SchemaElements.text(SchemaElements.leaf(name, Type.BYTE_ARRAY, false)));
  }

  @Override
  public void addPage(int rows) throws IOException {
    if (pages.bytes() == 0) {
      addDictionary();
    }
    if (values.length < rows) {
      values = new int[rows];
    }
    for (int row = 0; row < rows; row++) {
      values[row] = indices.get(row);
    }
    int width = Runs.width(names.getValueCount() - 1);
    page.size = 0;
    page.putByte(width);
    Runs.put(values, rows, width, page);
    pages.data(page, rows);
  }

  private void addDictionary() throws IOException {
    page.size = 0;
    for (int i = 0; i < names.getValueCount(); i++) {
      byte[] text = names.get(i);
      page.putInt(text.length);
      page.put(text, 0, text.length);
    }
    pages.dictionary(page, names.getValueCount());
  }

  @Override
  public ChunkPages pages() {
    return pages;
  }
}
