package org.kblake.core.internal.parquet.encoding;

/** Reads numbers of variable length from a range of bytes, and never beyond its end. */
public final class ByteCursor {

  private final byte[] bytes;
  private final int end;
  private int position;

  public ByteCursor(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.end = end;
    this.position = from;
  }

  public int position() {
    return position;
  }

  int remaining() {
    return end - position;
  }

  void skip(long count) throws MalformedPageException {
    if (count < 0 || count > remaining()) {
      throw new MalformedPageException(count + " bytes to skip", "at most " + remaining());
    }
    position += (int) count;
  }

  public byte next() throws MalformedPageException {
    if (position >= end) {
      throw new MalformedPageException("the end", "more bytes");
    }
    return bytes[position++];
  }

  /** Reads a ULEB128 number of at most 64 bits. */
  public long varint() throws MalformedPageException {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      byte group = next();
      value |= (long) (group & 0x7F) << shift;
      if (group >= 0) {
        return value;
      }
    }
    throw new MalformedPageException("a number of more than 10 bytes", "at most 10");
  }

  /** Reads a ULEB128 number below 2^31. */
  int varint32() throws MalformedPageException {
    long value = varint();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new MalformedPageException("number " + Long.toUnsignedString(value), "below 2^31");
    }
    return (int) value;
  }

  /** Reads a zigzag ULEB128 number. */
  public long zigzag() throws MalformedPageException {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Reads up to 4 bytes as an unsigned little-endian number. */
  int bytesAsInt(int count) throws MalformedPageException {
    int value = 0;
    for (int i = 0; i < count; i++) {
      value |= (next() & 0xFF) << (8 * i);
    }
    return value;
  }
}
