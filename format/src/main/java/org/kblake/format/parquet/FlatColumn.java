package org.kblake.format.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.write.EncodingChoice;
import org.kblake.core.internal.parquet.write.PageWriter;

/**
 * A column of the file. Each batch of the answer becomes a page. The pages of a row group are kept
 * until they are written.
 */
abstract class FlatColumn {

  /** A table may have 100,000 columns with few rows, so the memory of each begins small. */
  static final int FIRST_BYTES = 32;

  private static final EncodingChoice ZSTANDARD =
      new EncodingChoice(ColumnEncoding.PLAIN, Codec.ZSTD, false);

  private final List<SchemaElement> schema;
  private final Type type;
  private final List<String> path;
  private final ByteOutput dictionary = new ByteOutput(FIRST_BYTES);
  private final ByteOutput chunk = new ByteOutput(FIRST_BYTES);
  private final ByteOutput compressed = new ByteOutput(FIRST_BYTES);
  private final ByteOutput body = new ByteOutput(FIRST_BYTES);
  private final Set<Encoding> encodings = EnumSet.of(Encoding.PLAIN, Encoding.RLE);
  private PageWriter pages = new PageWriter(chunk, ZSTANDARD, compressed);

  /**
   * @param schema the column's elements in the footer's schema: depth first, the leaf last
   */
  FlatColumn(List<SchemaElement> schema) {
    this.schema = schema;
    type = schema.get(schema.size() - 1).getType();
    path = schema.stream().map(SchemaElement::getName).toList();
  }

  final List<SchemaElement> schema() {
    return schema;
  }

  /** Adds the rows of the vectors as a page. */
  final void addPage(int rows) {
    body.reset();
    ColumnEncoding encoding = put(rows, body);
    encodings.add(encoding.parquet());
    pages.page(body, entries(rows), encoding);
  }

  /**
   * Puts rows into a page.
   *
   * @return the encoding of the page
   */
  abstract ColumnEncoding put(int rows, ByteOutput page);

  /** Returns the number of entries of the last page, as in {@link PageWriter#page}. */
  int entries(int rows) {
    return rows;
  }

  /**
   * Puts the dictionary of the row group into a page, and begins the next row group.
   *
   * @return the number of its entries; 0 if there is none
   */
  int takeDictionary(ByteOutput page) {
    return 0;
  }

  /** Returns the statistics of the row group, and resets them; null if the column has none. */
  @Nullable Statistics takeStatistics() {
    return null;
  }

  /** Returns the memory of the dictionary in bytes. */
  long dictionaryBytes() {
    return 0;
  }

  /** Returns the bytes of the row group before compression, with the memory of the dictionary. */
  final long heldBytes() {
    return pages.uncompressedBytes() + dictionaryBytes();
  }

  /**
   * Writes the pages of the row group, and begins the next one.
   *
   * @param offset the position of the pages in the file
   * @return the metadata of the column chunk for the footer
   */
  final ColumnMetaData writeTo(OutputStream out, long offset) throws IOException {
    body.reset();
    int entries = takeDictionary(body);
    PageWriter first = new PageWriter(dictionary, ZSTANDARD, compressed);
    if (entries > 0) {
      first.dictionary(body, entries);
    }
    ColumnMetaData metaData = pages.metaData(type, path, offset + first.bytes());
    if (entries > 0) {
      metaData.setDictionary_page_offset(offset);
      metaData.setTotal_compressed_size(first.bytes() + metaData.getTotal_compressed_size());
      metaData.setTotal_uncompressed_size(
          first.uncompressedBytes() + metaData.getTotal_uncompressed_size());
    }
    metaData.setEncodings(List.copyOf(encodings));
    encodings.retainAll(EnumSet.of(Encoding.PLAIN, Encoding.RLE));
    metaData.setStatistics(takeStatistics());
    out.write(dictionary.bytes, 0, dictionary.size);
    out.write(chunk.bytes, 0, chunk.size);
    dictionary.reset();
    chunk.reset();
    pages = new PageWriter(chunk, ZSTANDARD, compressed);
    return metaData;
  }
}
