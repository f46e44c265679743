package org.kblake.core.store.parquet;

/**
 * BYTE_STREAM_SPLIT: the first bytes of all values, then the second bytes, and so on. Eight values
 * at a time are eight rows of an 8 x 8 matrix of bytes, transposed in registers (Hacker's Delight,
 * 7-3).
 */
final class ByteStreamSplit {

  private static final long PAIRS = 0x00FF_00FF_00FF_00FFL;
  private static final long QUADS = 0x0000_FFFF_0000_FFFFL;
  private static final long HALVES = 0x0000_0000_FFFF_FFFFL;

  private final long[] square = new long[8];

  /**
   * Appends values.
   *
   * @param width bytes of a value, 4 or 8
   */
  void encode(long[] values, int from, int to, int width, ByteOutput out) {
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

  /** Decodes values; those of 4 bytes are sign-extended. */
  void decode(byte[] bytes, int from, int width, long[] into, int at, int count) {
    int whole = count & ~7;
    for (int i = 0; i < whole; i += 8) {
      for (int plane = 0; plane < width; plane++) {
        square[plane] = LittleEndian.getLong(bytes, from + plane * count + i);
      }
      for (int plane = width; plane < 8; plane++) {
        square[plane] = 0;
      }
      transpose(square);
      System.arraycopy(square, 0, into, at + i, 8);
    }
    for (int i = whole; i < count; i++) {
      long value = 0;
      for (int plane = 0; plane < width; plane++) {
        value |= (bytes[from + plane * count + i] & 0xFFL) << (8 * plane);
      }
      into[at + i] = value;
    }
    if (width == 4) {
      for (int i = at; i < at + count; i++) {
        into[i] = (int) into[i];
      }
    }
  }

  /** Decodes the values at some positions of so many. */
  static void decodeAt(
      byte[] bytes, int from, int width, int count, Positions positions, long[] into) {
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

  /** Exchanges the upper parts of one row with the lower parts of another. */
  private static void swap(long[] x, int low, int high, int shift, long mask) {
    long difference = ((x[low] >>> shift) ^ x[high]) & mask;
    x[high] ^= difference;
    x[low] ^= difference << shift;
  }
}
