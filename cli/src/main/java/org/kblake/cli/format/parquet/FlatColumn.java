package org.kblake.cli.format.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.page.Codec;
import org.kblake.core.internal.parquet.write.EncodingChoice;
import org.kblake.core.internal.parquet.write.PageWriter;

/**
 * A column of the file. Each batch of the answer becomes a page. The pages of a row group are kept
 * until they are written.
 */
abstract class FlatColumn {

  private final List<SchemaElement> schema;
  private final Type type;
  private final List<String> path;
  private final EncodingChoice choice;
  private final ByteOutput chunk = new ByteOutput(1 << 12);
  private final ByteOutput compressed = new ByteOutput(1 << 12);
  private final ByteOutput body = new ByteOutput(1 << 12);
  private PageWriter pages;

  /**
   * @param schema the column's elements in the footer's schema: depth first, the leaf last
   */
  FlatColumn(List<SchemaElement> schema, ColumnEncoding encoding) {
    this.schema = schema;
    type = schema.get(schema.size() - 1).getType();
    path = schema.stream().map(SchemaElement::getName).toList();
    choice = new EncodingChoice(encoding, Codec.ZSTD, false);
    pages = new PageWriter(chunk, choice, compressed);
  }

  final List<SchemaElement> schema() {
    return schema;
  }

  /** Adds the rows of the vectors as a page. */
  final void addPage(int rows) {
    if (pages.bytes() == 0) {
      addDictionary(pages, body);
    }
    body.reset();
    int entries = put(rows, body);
    pages.page(body, entries);
  }

  /** Adds the dictionary of a row group, if the column has one. */
  void addDictionary(PageWriter target, ByteOutput scratch) {}

  /**
   * Puts rows into a page.
   *
   * @return the number of entries as in {@link PageWriter#page}
   */
  abstract int put(int rows, ByteOutput page);

  /** Returns the statistics of the row group, and resets them; null if the column has none. */
  @Nullable Statistics takeStatistics() {
    return null;
  }

  /** Returns the bytes of the row group before compression. */
  final long uncompressedBytes() {
    return pages.uncompressedBytes();
  }

  /**
   * Writes the pages of the row group, and begins the next one.
   *
   * @param offset the position of the pages in the file
   * @return the metadata of the column chunk for the footer
   */
  final ColumnMetaData writeTo(OutputStream out, long offset) throws IOException {
    ColumnMetaData metaData = pages.metaData(type, path, offset);
    metaData.setStatistics(takeStatistics());
    out.write(chunk.bytes, 0, chunk.size);
    chunk.reset();
    pages = new PageWriter(chunk, choice, compressed);
    return metaData;
  }
}
