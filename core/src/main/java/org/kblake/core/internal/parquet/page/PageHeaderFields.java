package org.kblake.core.internal.parquet.page;

import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;
import org.kblake.core.internal.parquet.encoding.ByteCursor;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;

/**
 * A page header as {@code PageWriter} writes it, in Thrift's compact protocol. It is parsed without
 * Thrift's library, because that takes longer than the decoding of a page, and allocates any length
 * that damaged bytes contain.
 *
 * <pre>
 *   15 type | 15 uncompressed bytes | 15 compressed bytes | 15 CRC                 (15: field of i32)
 *   data:       1C | 15 values | 15 encoding | 15 RLE | 15 RLE | 00 | 00
 *   dictionary: 3C | 15 values | 15 PLAIN                      | 00 | 00
 * </pre>
 *
 * @param headerBytes the length of the header
 * @param bodyBytes the length of the body as it is stored
 * @param plainBytes the length of the body, decompressed
 * @param crc the CRC-32 of the body as it is stored
 * @param values the number of values of the page
 * @param encoding the Parquet number of the values' encoding
 */
public record PageHeaderFields(
    int headerBytes, int bodyBytes, int plainBytes, int crc, int values, int encoding) {

  /** The largest length of a header. */
  static final int MAX_BYTES = 48;

  private static final int I32_FIELD = 0x15;
  private static final int DATA_STRUCT = 0x1C;
  private static final int DICTIONARY_STRUCT = 0x3C;

  /**
   * Reads a header.
   *
   * @param page the type that the page must have
   */
  static PageHeaderFields parse(byte[] bytes, int length, PageType page)
      throws MalformedPageException {
    ByteCursor cursor = new ByteCursor(bytes, 0, length);
    expect("page type", i32(cursor), page.getValue());
    int plainBytes = size(i32(cursor));
    int bodyBytes = size(i32(cursor));
    int crc = i32(cursor);
    boolean data = page == PageType.DATA_PAGE;
    expect("page struct", cursor.next(), data ? DATA_STRUCT : DICTIONARY_STRUCT);
    int values = size(i32(cursor));
    int encoding = i32(cursor);
    if (data) {
      expect("encoding of levels", i32(cursor), Encoding.RLE.getValue());
      expect("encoding of levels", i32(cursor), Encoding.RLE.getValue());
    } else {
      expect("encoding of the dictionary", encoding, Encoding.PLAIN.getValue());
    }
    expect("end of the page struct", cursor.next(), 0);
    expect("end of the page header", cursor.next(), 0);
    return new PageHeaderFields(cursor.position(), bodyBytes, plainBytes, crc, values, encoding);
  }

  private static int i32(ByteCursor cursor) throws MalformedPageException {
    expect("field header", cursor.next(), I32_FIELD);
    long value = cursor.zigzag();
    if (value != (int) value) {
      throw new MalformedPageException("number " + value, "32 bits");
    }
    return (int) value;
  }

  private static int size(int value) throws MalformedPageException {
    if (value < 0) {
      throw new MalformedPageException("size " + value, "at least 0");
    }
    return value;
  }

  private static void expect(String what, int found, int expected) throws MalformedPageException {
    if (found != expected) {
      throw new MalformedPageException(what + " " + found, Integer.toString(expected));
    }
  }
}
