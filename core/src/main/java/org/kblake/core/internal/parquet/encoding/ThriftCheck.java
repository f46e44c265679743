package org.kblake.core.internal.parquet.encoding;

/**
 * Checks that all lengths in a structure of Thrift's compact protocol lie within the available
 * bytes. Thrift itself allocates memory before it checks a length.
 *
 * <pre>
 *   FIELD:  id delta (4 bits) | type (4 bits), or type and id (zigzag) where the delta is 0
 *   BINARY: length (ULEB128) | bytes
 *   LIST:   size (4 bits; 15: ULEB128 follows) | element type (4 bits) | elements
 * </pre>
 */
public final class ThriftCheck {

  private static final int STOP = 0;
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int STRUCT = 12;

  /** A depth of nested structures that no structure of Parquet reaches. */
  private static final int MAX_DEPTH = 16;

  private ThriftCheck() {}

  /**
   * Checks one structure.
   *
   * @return the position behind it
   */
  public static int struct(byte[] bytes, int from, int end) throws MalformedPageException {
    ByteCursor cursor = new ByteCursor(bytes, from, end);
    struct(cursor, 0);
    return cursor.position();
  }

  private static void struct(ByteCursor cursor, int depth) throws MalformedPageException {
    if (depth > MAX_DEPTH) {
      throw new MalformedPageException("structures nested too deeply", "at most " + MAX_DEPTH);
    }
    for (int header = cursor.next(); (header & 0xF) != STOP; header = cursor.next()) {
      if ((header & 0xF0) == 0) {
        cursor.varint();
      }
      int type = header & 0xF;
      if (type != TRUE && type != FALSE) {
        value(cursor, type, depth);
      }
    }
  }

  private static void value(ByteCursor cursor, int type, int depth) throws MalformedPageException {
    switch (type) {
      case TRUE, FALSE, BYTE -> cursor.skip(1);
      case I16, I32, I64 -> cursor.varint();
      case DOUBLE -> cursor.skip(8);
      case BINARY -> cursor.skip(cursor.varint32());
      case LIST, SET -> {
        int header = cursor.next() & 0xFF;
        int size = header >>> 4 == 15 ? cursor.varint32() : header >>> 4;
        if (size > cursor.remaining()) {
          throw new MalformedPageException(
              "a list of " + size, "at most " + cursor.remaining() + " elements");
        }
        for (int i = 0; i < size; i++) {
          value(cursor, header & 0xF, depth);
        }
      }
      case STRUCT -> struct(cursor, depth + 1);
      default -> throw new MalformedPageException("Thrift type " + type, "one of 1 to 12");
    }
  }
}
