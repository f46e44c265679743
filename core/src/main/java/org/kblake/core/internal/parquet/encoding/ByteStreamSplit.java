package org.kblake.core.internal.parquet.encoding;

/**
 * The Parquet encoding BYTE_STREAM_SPLIT: the first bytes of all values, then the second bytes, and
 * so on. Eight values form an 8 x 8 matrix of bytes, which is transposed in registers (Hacker's
 * Delight, 7-3).
 */
public final class ByteStreamSplit {

  private static final long PAIRS = 0x00FF_00FF_00FF_00FFL;
  private static final long QUADS = 0x0000_FFFF_0000_FFFFL;
  private static final long HALVES = 0x0000_0000_FFFF_FFFFL;

  private final long[] square = new long[8];

  /**
   * Appends values.
   *
   * @param width bytes of a value, 4 or 8
   */
  public void encode(long[] values, int from, int to, int width, ByteOutput out) {
    int count = to - from;
    out.ensure(count * width);
    byte[] target = out.bytes;
    int base = out.size;
    int whole = count & ~7;
    for (int i = 0; i < whole; i += 8) {
      System.arraycopy(values, from + i, square, 0, 8);
      transpose(square);
      for (int plane = 0; plane < width; plane++) {
        LittleEndian.putLong(target, base + plane * count + i, square[plane]);
      }
    }
    for (int i = whole; i < count; i++) {
      for (int plane = 0; plane < width; plane++) {
        target[base + plane * count + i] = (byte) (values[from + i] >>> (8 * plane));
      }
    }
    out.size += count * width;
  }

  /**
   * Decodes the values [first, count). Values of 4 bytes are sign-extended.
   *
   * @param at the index in {@code into} of value 0
   * @param first the first value to decode
   */
  static void decode(byte[] bytes, int from, int width, long[] into, int at, int first, int count) {
    int whole = first + (count - first & ~7);
    if (width == 8) {
      for (int i = first; i < whole; i += 8) {
        decodeEightLongs(bytes, from + i, count, into, at + i);
      }
    } else {
      for (int i = first; i < whole; i += 8) {
        decodeEightInts(bytes, from + i, count, into, at + i);
      }
    }
    for (int i = whole; i < count; i++) {
      long value = 0;
      for (int plane = 0; plane < width; plane++) {
        value |= (bytes[from + plane * count + i] & 0xFFL) << (8 * plane);
      }
      into[at + i] = width == 4 ? (int) value : value;
    }
  }

  /** Uses a local variable for each row of the matrix, so that rows stay in registers. */
  private static void decodeEightLongs(byte[] bytes, int from, int count, long[] into, int at) {
    long a = LittleEndian.getLong(bytes, from);
    long b = LittleEndian.getLong(bytes, from + count);
    long c = LittleEndian.getLong(bytes, from + 2 * count);
    long d = LittleEndian.getLong(bytes, from + 3 * count);
    long e = LittleEndian.getLong(bytes, from + 4 * count);
    long f = LittleEndian.getLong(bytes, from + 5 * count);
    long g = LittleEndian.getLong(bytes, from + 6 * count);
    long h = LittleEndian.getLong(bytes, from + 7 * count);
    long x = ((a >>> 8) ^ b) & PAIRS;
    b ^= x;
    a ^= x << 8;
    x = ((c >>> 8) ^ d) & PAIRS;
    d ^= x;
    c ^= x << 8;
    x = ((e >>> 8) ^ f) & PAIRS;
    f ^= x;
    e ^= x << 8;
    x = ((g >>> 8) ^ h) & PAIRS;
    h ^= x;
    g ^= x << 8;
    x = ((a >>> 16) ^ c) & QUADS;
    c ^= x;
    a ^= x << 16;
    x = ((b >>> 16) ^ d) & QUADS;
    d ^= x;
    b ^= x << 16;
    x = ((e >>> 16) ^ g) & QUADS;
    g ^= x;
    e ^= x << 16;
    x = ((f >>> 16) ^ h) & QUADS;
    h ^= x;
    f ^= x << 16;
    into[at] = (a & HALVES) | (e << 32);
    into[at + 1] = (b & HALVES) | (f << 32);
    into[at + 2] = (c & HALVES) | (g << 32);
    into[at + 3] = (d & HALVES) | (h << 32);
    into[at + 4] = (a >>> 32) | (e & ~HALVES);
    into[at + 5] = (b >>> 32) | (f & ~HALVES);
    into[at + 6] = (c >>> 32) | (g & ~HALVES);
    into[at + 7] = (d >>> 32) | (h & ~HALVES);
  }

  private static void decodeEightInts(byte[] bytes, int from, int count, long[] into, int at) {
    long a = LittleEndian.getLong(bytes, from);
    long b = LittleEndian.getLong(bytes, from + count);
    long c = LittleEndian.getLong(bytes, from + 2 * count);
    long d = LittleEndian.getLong(bytes, from + 3 * count);
    long x = ((a >>> 8) ^ b) & PAIRS;
    b ^= x;
    a ^= x << 8;
    x = ((c >>> 8) ^ d) & PAIRS;
    d ^= x;
    c ^= x << 8;
    x = ((a >>> 16) ^ c) & QUADS;
    c ^= x;
    a ^= x << 16;
    x = ((b >>> 16) ^ d) & QUADS;
    d ^= x;
    b ^= x << 16;
    into[at] = (int) a;
    into[at + 1] = (int) b;
    into[at + 2] = (int) c;
    into[at + 3] = (int) d;
    into[at + 4] = a >> 32;
    into[at + 5] = b >> 32;
    into[at + 6] = c >> 32;
    into[at + 7] = d >> 32;
  }

  /** Decodes the values at some positions of {@code count} values. */
  public static void decodeAt(
      byte[] bytes, int from, int width, int count, RowIndices positions, long[] into) {
    for (int i = 0; i < positions.count; i++) {
      long value = 0;
      for (int plane = 0; plane < width; plane++) {
        value |= (bytes[from + plane * count + positions.at[i]] & 0xFFL) << (8 * plane);
      }
      into[i] = width == 4 ? (int) value : value;
    }
  }

  private static void transpose(long[] x) {
    swap(x, 0, 1, 8, PAIRS);
    swap(x, 2, 3, 8, PAIRS);
    swap(x, 4, 5, 8, PAIRS);
    swap(x, 6, 7, 8, PAIRS);
    swap(x, 0, 2, 16, QUADS);
    swap(x, 1, 3, 16, QUADS);
    swap(x, 4, 6, 16, QUADS);
    swap(x, 5, 7, 16, QUADS);
    swap(x, 0, 4, 32, HALVES);
    swap(x, 1, 5, 32, HALVES);
    swap(x, 2, 6, 32, HALVES);
    swap(x, 3, 7, 32, HALVES);
  }

  /**
   * Exchanges the upper halves of each group of bytes of one row with the lower halves of another
   * row.
   */
  private static void swap(long[] x, int low, int high, int shift, long mask) {
    long difference = ((x[low] >>> shift) ^ x[high]) & mask;
    x[high] ^= difference;
    x[low] ^= difference << shift;
  }
}
