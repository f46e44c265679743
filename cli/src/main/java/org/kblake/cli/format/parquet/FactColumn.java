package org.kblake.cli.format.parquet;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;

/** A small unsigned integer that every row has: state, severity or status. */
final class FactColumn implements FlatColumn {

  private final FieldVector vector;
  private final ChunkPages pages;
  private final PageBytes page = new PageBytes();

  /**
   * @param vector of uint8 or uint16
   */
  FactColumn(FieldVector vector) {
    this.vector = vector;
    this.pages = new ChunkPages(Type.INT32, List.of(vector.getName()));
  }

  @Override
  public List<SchemaElement> schema() {
    SchemaElement leaf = SchemaElements.leaf(vector.getName(), Type.INT32, false);
    int bits = vector instanceof UInt1Vector ? Byte.SIZE : Short.SIZE;
    return List.of(SchemaElements.integer(leaf, bits, false));
  }

  @Override
  public void addPage(int rows) throws IOException {
    page.size = 0;
    if (vector instanceof UInt1Vector small) {
      for (int row = 0; row < rows; row++) {
        page.putInt(small.get(row) & 0xff);
      }
    } else {
      UInt2Vector big = (UInt2Vector) vector;
      for (int row = 0; row < rows; row++) {
        page.putInt(big.get(row));
      }
    }
    pages.data(page, rows);
  }

  @Override
  public ChunkPages pages() {
    return pages;
  }
}
