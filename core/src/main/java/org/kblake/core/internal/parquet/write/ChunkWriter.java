package org.kblake.core.internal.parquet.write;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.EventColumn;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.page.Codec;
import org.kblake.core.internal.parquet.page.PageCompressor;

/**
 * Appends the pages of one column chunk to a row group: compressed, with their headers and
 * checksums.
 */
public final class ChunkWriter {

  /** Columns whose pages have smallest and largest values. */
  private static final Set<EventColumn> SEARCHED =
      EnumSet.of(EventColumn.CHANNEL, EventColumn.TIME, EventColumn.VALUE);

  private final ByteOutput out;
  private final EventFileSchema schema;
  private final EventColumn column;
  private final ColumnEncoding encoding;
  private final Codec codec;
  private final boolean thorough;
  private final int[] pageRows;
  private final int[] pageStarts;
  private final int begin;
  private final ByteOutput compressed;
  private final CRC32 crc = new CRC32();
  private int pages;
  private int dictionaryBytes;
  private long uncompressedBytes;
  private long entries;

  /**
   * @param out the row group
   * @param choice how pages are encoded and compressed
   * @param pageRows the first row of each page, and the number of rows at last
   * @param compressed scratch
   */
  public ChunkWriter(
      ByteOutput out,
      EventFileSchema schema,
      EventColumn column,
      EncodingChoice choice,
      int[] pageRows,
      ByteOutput compressed) {
    this.out = out;
    this.schema = schema;
    this.column = column;
    this.encoding = choice.encoding();
    this.codec = choice.codec();
    this.thorough = choice.thorough();
    this.pageRows = pageRows;
    this.pageStarts = new int[pageRows.length];
    this.begin = out.size;
    this.compressed = compressed;
  }

  /** Appends the dictionary page; before any other. */
  public void dictionary(ByteOutput body, int values) {
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, 0, 0);
    header.setDictionary_page_header(new DictionaryPageHeader(values, Encoding.PLAIN));
    append(header, body);
    dictionaryBytes = out.size - begin;
  }

  /** Appends the next data page. */
  public void page(ByteOutput body, int pageEntries) {
    pageStarts[pages++] = out.size - begin;
    entries += pageEntries;
    PageHeader header = new PageHeader(PageType.DATA_PAGE, 0, 0);
    header.setData_page_header(
        new DataPageHeader(pageEntries, encoding.parquet(), Encoding.RLE, Encoding.RLE));
    append(header, body);
  }

  private void append(PageHeader header, ByteOutput body) {
    ByteOutput stored = body;
    if (codec != Codec.NONE) {
      compressed.reset();
      PageCompressor.compress(codec, thorough, body, compressed);
      stored = compressed;
    }
    crc.reset();
    crc.update(stored.bytes, 0, stored.size);
    header.setUncompressed_page_size(body.size);
    header.setCompressed_page_size(stored.size);
    header.setCrc((int) crc.getValue());
    int headerOffset = out.size;
    try {
      Util.writePageHeader(header, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    uncompressedBytes += out.size - headerOffset + body.size;
    out.write(stored.bytes, 0, stored.size);
  }

  /**
   * Ends the chunk.
   *
   * @param constant see {@link ColumnLayout#constant}
   */
  public EncodedColumn finish(ChunkStatistics<?> statistics, @Nullable Long constant) {
    int bytes = out.size - begin;
    pageStarts[pages] = bytes;
    ColumnMetaData metaData =
        new ColumnMetaData(
            schema.physicalType(column),
            encodings(),
            schema.path(column),
            codec.parquet(),
            entries,
            uncompressedBytes,
            bytes,
            begin + (long) pageStarts[0]);
    if (dictionaryBytes > 0) {
      metaData.setDictionary_page_offset(begin);
    }
    metaData.setStatistics(statistics.chunk());
    ColumnIndex columnIndex =
        SEARCHED.contains(column) && constant == null ? statistics.pages() : null;
    return new EncodedColumn(
        metaData,
        columnIndex,
        pages > 1 ? offsetIndex() : null,
        new ColumnLayout(encoding, codec, constant, begin, dictionaryBytes, pageStarts));
  }

  private List<Encoding> encodings() {
    return switch (encoding) {
      case PLAIN -> List.of(Encoding.PLAIN, Encoding.RLE);
      case DICTIONARY -> List.of(Encoding.PLAIN, Encoding.RLE, Encoding.RLE_DICTIONARY);
      case RLE -> List.of(Encoding.RLE);
      case DELTA, DELTA_LENGTH, BYTE_STREAM_SPLIT -> List.of(Encoding.RLE, encoding.parquet());
    };
  }

  private OffsetIndex offsetIndex() {
    List<PageLocation> locations = new ArrayList<>(pages);
    for (int page = 0; page < pages; page++) {
      locations.add(
          new PageLocation(
              begin + (long) pageStarts[page],
              pageStarts[page + 1] - pageStarts[page],
              pageRows[page]));
    }
    return new OffsetIndex(locations);
  }
}
