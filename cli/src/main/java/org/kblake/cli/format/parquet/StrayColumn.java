package org.kblake.cli.format.parquet;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;

/** Whether a row is a stray: Parquet's booleans are packed as Arrow's are. */
final class StrayColumn implements FlatColumn {

  private final BitVector vector;
  private final ChunkPages pages;
  private final PageBytes page = new PageBytes();

  StrayColumn(FieldVector vector) {
    this.vector = (BitVector) vector;
    this.pages = new ChunkPages(Type.BOOLEAN, List.of(vector.getName()));
  }

  @Override
  public List<SchemaElement> schema() {
    return List.of(SchemaElements.leaf(vector.getName(), Type.BOOLEAN, false));
  }

  @Override
  public void addPage(int rows) throws IOException {
    int bytes = (rows + 7) / 8;
    page.size = 0;
    page.ensure(bytes);
    vector.getDataBuffer().getBytes(0, page.bytes, 0, bytes);
    page.size = bytes;
    pages.data(page, rows);
  }

  @Override
  public ChunkPages pages() {
    return pages;
  }
}
