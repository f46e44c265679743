package org.kblake.core.internal.parquet.write;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.page.PageCompressor;

/** Appends the pages of one column chunk, compressed, with headers and checksums. */
public final class PageWriter {

  private final ByteOutput out;
  private final EncodingChoice choice;
  private final ByteOutput compressed;
  private final int begin;
  private final CRC32 crc = new CRC32();
  private int dictionaryBytes;
  private long uncompressedBytes;
  private long entries;

  /**
   * @param out the output, to which the chunk is appended
   * @param choice the encoding and compression of pages
   * @param compressed a buffer for temporary use
   */
  public PageWriter(ByteOutput out, EncodingChoice choice, ByteOutput compressed) {
    this.out = out;
    this.choice = choice;
    this.compressed = compressed;
    this.begin = out.size;
  }

  /** Appends the dictionary page, which must be the first page. */
  public void dictionary(ByteOutput body, int values) {
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, 0, 0);
    header.setDictionary_page_header(new DictionaryPageHeader(values, Encoding.PLAIN));
    append(header, body, null);
    dictionaryBytes = bytes();
  }

  /** Appends the next data page, in the chunk's encoding. */
  public void page(ByteOutput body, int pageEntries) {
    page(body, pageEntries, choice.encoding());
  }

  /**
   * Appends the next data page in an encoding.
   *
   * @param pageEntries the number of rows; for lists the number of elements, where an empty or
   *     missing list counts as one
   */
  public void page(ByteOutput body, int pageEntries, ColumnEncoding encoding) {
    page(body, null, pageEntries, encoding);
  }

  /**
   * Appends the next data page.
   *
   * @param ready the body as the choice compresses it; null if it is not compressed yet
   */
  public void page(
      ByteOutput body, @Nullable ByteOutput ready, int pageEntries, ColumnEncoding encoding) {
    PageHeader header = new PageHeader(PageType.DATA_PAGE, 0, 0);
    header.setData_page_header(
        new DataPageHeader(pageEntries, encoding.parquet(), Encoding.RLE, Encoding.RLE));
    append(header, body, ready);
    entries += pageEntries;
  }

  private void append(PageHeader header, ByteOutput body, @Nullable ByteOutput ready) {
    ByteOutput stored = ready == null ? body : ready;
    if (ready == null && choice.codec() != Codec.NONE) {
      compressed.reset();
      PageCompressor.compress(choice.codec(), choice.thorough(), body, compressed);
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

  /** Returns the number of bytes appended so far. */
  public int bytes() {
    return out.size - begin;
  }

  /** Returns the size of the dictionary page with its header in bytes, 0 if there is none. */
  int dictionaryBytes() {
    return dictionaryBytes;
  }

  /** Returns the number of bytes appended so far, before compression. */
  public long uncompressedBytes() {
    return uncompressedBytes;
  }

  /**
   * Returns the metadata of the chunk for the footer, without statistics.
   *
   * @param offset the offset of the chunk's first byte
   */
  public ColumnMetaData metaData(Type type, List<String> path, long offset) {
    ColumnMetaData metaData =
        new ColumnMetaData(
            type,
            encodings(),
            path,
            PageCompressor.parquet(choice.codec()),
            entries,
            uncompressedBytes,
            bytes(),
            offset + dictionaryBytes);
    if (dictionaryBytes > 0) {
      metaData.setDictionary_page_offset(offset);
    }
    return metaData;
  }

  private List<Encoding> encodings() {
    ColumnEncoding encoding = choice.encoding();
    return switch (encoding) {
      case PLAIN -> List.of(Encoding.PLAIN, Encoding.RLE);
      case DICTIONARY -> List.of(Encoding.PLAIN, Encoding.RLE, Encoding.RLE_DICTIONARY);
      case RLE -> List.of(Encoding.RLE);
      case DELTA, DELTA_LENGTH, BYTE_STREAM_SPLIT -> List.of(Encoding.RLE, encoding.parquet());
    };
  }
}
