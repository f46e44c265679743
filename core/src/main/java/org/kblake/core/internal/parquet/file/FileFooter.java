package org.kblake.core.internal.parquet.file;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;
import org.kblake.core.columns.ByteSource;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.LittleEndian;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.encoding.ThriftCheck;

/**
 * The footer of a file. Parquet has checksums of pages, but not of their positions. Therefore the
 * last key-value pair is a checksum of the page indexes and the footer.
 *
 * <pre>
 *   indexes | footer .. "kblake.crc32" 18 14 | CRC (8 hex digits) | indexes' offset (12) | ..
 *           | footer's length (4 bytes) | "PAR1"
 * </pre>
 *
 * The CRC-32 is computed over the indexes and the footer with zeros in place of its own digits.
 *
 * @param metaData the contents of the footer
 * @param bytes the same in Thrift, as the file has it
 * @param indexOffset the position where pages end and the page indexes begin
 * @param indexes the bytes of the page indexes
 */
public record FileFooter(FileMetaData metaData, byte[] bytes, long indexOffset, byte[] indexes) {

  private static final byte[] MAGIC = {'P', 'A', 'R', '1'};

  /** The length of {@link #magic} in bytes. */
  public static final int MAGIC_BYTES = 4;

  public static final String CHECKSUM_KEY = "kblake.crc32";

  private static final String CREATED_BY = "kblake version 1 (build 0)";

  /** A limit that no written footer reaches. Memory is not allocated for a larger one. */
  private static final int MAX_BYTES = 1 << 28;

  private static final int CRC_DIGITS = 8;
  private static final int OFFSET_DIGITS = 12;

  /**
   * The bytes between key and value: the header of a Thrift field of type binary, and its length.
   */
  private static final byte[] VALUE_HEADER = {0x18, CRC_DIGITS + OFFSET_DIGITS};

  /** The magic at both ends and the footer's length. */
  private static final int FIXED_BYTES = 12;

  private static final int TAIL_BYTES = 8;

  /** Returns the bytes at the begin and the end of a Parquet file. */
  public static ByteBuffer magic() {
    return ByteBuffer.wrap(MAGIC).asReadOnlyBuffer();
  }

  /**
   * Appends the footer to the page indexes.
   *
   * @param indexOffset the position of the indexes in the file
   * @param tail the output, which begins with the indexes
   */
  public static void put(
      List<SchemaElement> schema,
      List<RowGroup> rowGroups,
      Map<String, String> keyValues,
      long indexOffset,
      ByteOutput tail)
      throws IOException {
    FileMetaData footer = metaData(schema, EventColumn.count(), rowGroups);
    put(footer, keyValues, indexOffset, tail);
  }

  /**
   * Appends a footer with a checksum to the page indexes.
   *
   * @param footer the metadata, to which key-value pairs are added
   * @param indexOffset the position of the indexes in the file
   * @param tail the output, which begins with the indexes
   */
  public static void put(
      FileMetaData footer, Map<String, String> keyValues, long indexOffset, ByteOutput tail)
      throws IOException {
    List<KeyValue> pairs = new ArrayList<>();
    keyValues.forEach((key, value) -> pairs.add(new KeyValue(key).setValue(value)));
    String blank = "0".repeat(CRC_DIGITS) + hex(indexOffset, OFFSET_DIGITS);
    pairs.add(new KeyValue(CHECKSUM_KEY).setValue(blank));
    footer.setKey_value_metadata(pairs);
    int start = tail.size;
    Util.writeFileMetaData(footer, tail);
    int value = valueAt(tail.bytes, start, tail.size);
    String crc = hex(crcOf(tail.bytes, tail.size), CRC_DIGITS);
    System.arraycopy(crc.getBytes(StandardCharsets.US_ASCII), 0, tail.bytes, value, CRC_DIGITS);
    putEnd(start, tail);
  }

  /** Appends a footer without a checksum. */
  public static void put(FileMetaData footer, ByteOutput tail) throws IOException {
    int start = tail.size;
    Util.writeFileMetaData(footer, tail);
    putEnd(start, tail);
  }

  private static void putEnd(int start, ByteOutput tail) {
    tail.putInt(tail.size - start);
    tail.write(MAGIC, 0, MAGIC_BYTES);
  }

  /**
   * Returns the metadata of a whole file.
   *
   * @param columns the number of leaves of the schema
   */
  public static FileMetaData metaData(
      List<SchemaElement> schema, int columns, List<RowGroup> rowGroups) {
    long rows = rowGroups.stream().mapToLong(RowGroup::getNum_rows).sum();
    FileMetaData metaData = new FileMetaData(2, schema, rows, rowGroups);
    metaData.setCreated_by(CREATED_BY);
    metaData.setColumn_orders(
        Collections.nCopies(columns, ColumnOrder.TYPE_ORDER(new TypeDefinedOrder())));
    return metaData;
  }

  /**
   * Returns the metadata of a row group.
   *
   * @param offset the position of its first column chunk; the others follow without a gap
   */
  public static RowGroup rowGroup(List<ColumnMetaData> columns, long rows, long offset) {
    List<ColumnChunk> chunks = new ArrayList<>();
    long uncompressedBytes = 0;
    long bytes = 0;
    for (ColumnMetaData column : columns) {
      ColumnChunk chunk = new ColumnChunk(0);
      chunk.setMeta_data(column);
      chunks.add(chunk);
      uncompressedBytes += column.getTotal_uncompressed_size();
      bytes += column.getTotal_compressed_size();
    }
    RowGroup group = new RowGroup(chunks, uncompressedBytes, rows);
    group.setFile_offset(offset);
    group.setTotal_compressed_size(bytes);
    return group;
  }

  private static String hex(long value, int digits) {
    return String.format(Locale.ROOT, "%0" + digits + "x", value);
  }

  private static long crcOf(byte[] bytes, int size) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, size);
    return crc.getValue();
  }

  /** Returns the index of the checksum's value, or -1. */
  private static int valueAt(byte[] bytes, int from, int to) {
    byte[] key = CHECKSUM_KEY.getBytes(StandardCharsets.US_ASCII);
    int length = key.length + VALUE_HEADER.length;
    for (int at = to - length - CRC_DIGITS - OFFSET_DIGITS; at >= from; at--) {
      if (Arrays.equals(bytes, at, at + key.length, key, 0, key.length)
          && Arrays.equals(bytes, at + key.length, at + length, VALUE_HEADER, 0, 2)) {
        return at + length;
      }
    }
    return -1;
  }

  /** Reads and checks a footer. The checksum is compared before the footer is parsed. */
  public static FileFooter read(ByteSource source) throws IOException {
    long size = source.size();
    if (size < FIXED_BYTES) {
      throw corrupt(source, 0, "a file of " + size + " bytes", "at least " + FIXED_BYTES);
    }
    byte[] head = bytes(source, 0, MAGIC_BYTES);
    byte[] end = bytes(source, size - TAIL_BYTES, TAIL_BYTES);
    if (!Arrays.equals(head, MAGIC)) {
      throw corrupt(source, 0, "first bytes " + Arrays.toString(head), "PAR1");
    }
    if (!Arrays.equals(end, 4, 8, MAGIC, 0, 4)) {
      throw corrupt(source, size - 4, "last bytes " + Arrays.toString(end), "PAR1");
    }
    int length = LittleEndian.getInt(end, 0);
    if (length < 0 || length > Math.min(MAX_BYTES, size - FIXED_BYTES)) {
      throw corrupt(
          source,
          size - TAIL_BYTES,
          "footer of " + length + " bytes",
          "at most " + Math.min(MAX_BYTES, size - FIXED_BYTES));
    }
    long start = size - TAIL_BYTES - length;
    byte[] footer = bytes(source, start, length);
    int value = valueAt(footer, 0, length);
    if (value < 0) {
      throw corrupt(source, start, "a footer without " + CHECKSUM_KEY, "a footer of kblake");
    }
    long indexOffset = number(source, start, footer, value + CRC_DIGITS, OFFSET_DIGITS);
    if (indexOffset < MAGIC_BYTES || indexOffset > start || start - indexOffset > MAX_BYTES) {
      throw corrupt(source, start + value, "page indexes at " + indexOffset, "at most " + start);
    }
    byte[] indexes = bytes(source, indexOffset, (int) (start - indexOffset));
    check(source, start, indexes, footer, value);
    return new FileFooter(parse(source, start, footer), footer, indexOffset, indexes);
  }

  private static void check(ByteSource source, long start, byte[] indexes, byte[] footer, int value)
      throws CorruptBlockException {
    long expected = number(source, start, footer, value, CRC_DIGITS);
    byte[] blank = footer.clone();
    Arrays.fill(blank, value, value + CRC_DIGITS, (byte) '0');
    CRC32 crc = new CRC32();
    crc.update(indexes);
    crc.update(blank);
    if (crc.getValue() != expected) {
      throw corrupt(
          source,
          start,
          "footer checksum " + hex(crc.getValue(), CRC_DIGITS),
          hex(expected, CRC_DIGITS));
    }
  }

  private static FileMetaData parse(ByteSource source, long start, byte[] footer)
      throws CorruptBlockException {
    try {
      ThriftCheck.struct(footer, 0, footer.length);
      return Util.readFileMetaData(new ByteArrayInputStream(footer));
    } catch (MalformedPageException | IOException | RuntimeException e) {
      throw corrupt(source, start, "footer: " + e.getMessage(), "a Parquet footer");
    }
  }

  private static long number(ByteSource source, long start, byte[] footer, int at, int digits)
      throws CorruptBlockException {
    String text = new String(footer, at, digits, StandardCharsets.ISO_8859_1);
    for (int i = 0; i < digits; i++) {
      // The parser accepts upper case, but no writer uses it.
      if ("0123456789abcdef".indexOf(text.charAt(i)) < 0) {
        throw corrupt(source, start + at, "\"" + text + "\"", digits + " hexadecimal digits");
      }
    }
    return Long.parseLong(text, 16);
  }

  private static byte[] bytes(ByteSource source, long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    source.read(offset, ByteBuffer.wrap(bytes));
    return bytes;
  }

  private static CorruptBlockException corrupt(
      ByteSource source, long offset, String found, String expected) {
    return new CorruptBlockException(source.file(), offset, found, expected);
  }
}
