package org.kblake.query.internal.arrow;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Arrow bitmaps: bit i is bit i % 8, from the least significant, of byte i / 8. */
final class Bitmaps {

  private static final byte[] ONES = new byte[1 << 10];

  static {
    Arrays.fill(ONES, (byte) 0xFF);
  }

  private Bitmaps() {}

  static int bytesFor(int bits) {
    return (bits + 7) >>> 3;
  }

  static void clear(ByteBuffer bitmap, int bytes) {
    BufferWrites.zeros(bytes, bitmap, 0);
  }

  /** Sets one bit. */
  static void set(ByteBuffer bitmap, int bit) {
    int at = bit >>> 3;
    bitmap.put(at, (byte) (bitmap.get(at) | 1 << (bit & 7)));
  }

  /** Sets the bits [from, to). */
  static void setRange(ByteBuffer bitmap, int from, int to) {
    int bit = from;
    while (bit < to && (bit & 7) != 0) {
      set(bitmap, bit++);
    }
    int whole = (to - bit) >>> 3;
    ones(bitmap, bit >>> 3, whole);
    for (bit += whole << 3; bit < to; bit++) {
      set(bitmap, bit);
    }
  }

  private static void ones(ByteBuffer bitmap, int from, int length) {
    for (int done = 0; done < length; done += ONES.length) {
      bitmap.put(from + done, ONES, 0, Math.min(ONES.length, length - done));
    }
  }
}
