package org.kblake.cli.format.parquet;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/** The pages of one column chunk: compressed, with headers and checksums, kept until written. */
final class ChunkPages {

  private static final int ZSTD_LEVEL = 3;

  private final Type type;
  private final List<String> path;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final CRC32 crc = new CRC32();
  private int dictionaryBytes;
  private boolean hasDictionary;
  private long uncompressedBytes;
  private long entries;

  ChunkPages(Type type, List<String> path) {
    this.type = type;
    this.path = path;
  }

  /** Adds the dictionary; before any data. */
  void dictionary(PageBytes body, int values) throws IOException {
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, 0, 0);
    header.setDictionary_page_header(new DictionaryPageHeader(values, Encoding.PLAIN));
    append(header, body);
    dictionaryBytes = out.size();
    hasDictionary = true;
  }

  /**
   * Adds a data page.
   *
   * @param count rows, or where these are lists their elements, an empty or missing list counting
   *     as one
   */
  void data(PageBytes body, int count) throws IOException {
    PageHeader header = new PageHeader(PageType.DATA_PAGE, 0, 0);
    Encoding encoding = hasDictionary ? Encoding.RLE_DICTIONARY : Encoding.PLAIN;
    header.setData_page_header(new DataPageHeader(count, encoding, Encoding.RLE, Encoding.RLE));
    append(header, body);
    entries += count;
  }

  private void append(PageHeader header, PageBytes body) throws IOException {
    byte[] compressed = new byte[Math.toIntExact(Zstd.compressBound(body.size))];
    long length =
        Zstd.compressByteArray(
            compressed, 0, compressed.length, body.bytes, 0, body.size, ZSTD_LEVEL);
    if (Zstd.isError(length)) {
      throw new IOException("zstd: " + Zstd.getErrorName(length));
    }
    crc.reset();
    crc.update(compressed, 0, (int) length);
    header.setUncompressed_page_size(body.size);
    header.setCompressed_page_size((int) length);
    header.setCrc((int) crc.getValue());
    int before = out.size();
    Util.writePageHeader(header, out);
    uncompressedBytes += out.size() - before + body.size;
    out.write(compressed, 0, (int) length);
  }

  /** Bytes that are kept. */
  int bytes() {
    return out.size();
  }

  /** Bytes before compression. */
  long uncompressedBytes() {
    return uncompressedBytes;
  }

  /** Writes the pages and forgets them. */
  void writeTo(OutputStream target) throws IOException {
    out.writeTo(target);
    out.reset();
    uncompressedBytes = 0;
    dictionaryBytes = 0;
    entries = 0;
    hasDictionary = false;
  }

  /** What the footer says of the chunk if its first byte is written at an offset. */
  ColumnMetaData metaData(long offset) {
    List<Encoding> encodings =
        hasDictionary
            ? List.of(Encoding.PLAIN, Encoding.RLE, Encoding.RLE_DICTIONARY)
            : List.of(Encoding.PLAIN, Encoding.RLE);
    ColumnMetaData metaData =
        new ColumnMetaData(
            type,
            encodings,
            path,
            CompressionCodec.ZSTD,
            entries,
            uncompressedBytes,
            out.size(),
            offset + dictionaryBytes);
    if (hasDictionary) {
      metaData.setDictionary_page_offset(offset);
    }
    return metaData;
  }
}
