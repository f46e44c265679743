package org.kblake.cli.format.parquet;

/**
 * Small integers as the RLE / bit-packing hybrid of Parquet, in one run: repeated where all are
 * alike, else packed. The codec behind it finds what shorter runs would.
 *
 * <pre>
 *   repeated: count &lt;&lt; 1 (varint) | value, whole bytes
 *   packed:   groups of 8 &lt;&lt; 1 | 1 (varint) | values, least significant bit first
 * </pre>
 */
final class Runs {

  private Runs() {}

  /** Bits that the largest value needs; at least 1. */
  static int width(int largest) {
    return Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(largest));
  }

  /** Appends levels as a data page has them: length in bytes, then the run. */
  static void putLevels(int[] levels, int count, int largest, PageBytes page) {
    int lengthAt = page.size;
    page.putInt(0);
    put(levels, count, width(largest), page);
    page.setInt(lengthAt, page.size - lengthAt - Integer.BYTES);
  }

  /** Appends a run. */
  static void put(int[] values, int count, int width, PageBytes page) {
    if (allAlike(values, count)) {
      page.putVarint(count << 1);
      int value = count == 0 ? 0 : values[0];
      for (int bits = 0; bits < width; bits += Byte.SIZE) {
        page.putByte(value >>> bits);
      }
      return;
    }
    int groups = (count + 7) / 8;
    page.putVarint(groups << 1 | 1);
    page.ensure(groups * width);
    long pending = 0;
    int bits = 0;
    for (int i = 0; i < groups * 8; i++) {
      pending |= (i < count ? values[i] & 0xffff_ffffL : 0) << bits;
      bits += width;
      while (bits >= Byte.SIZE) {
        page.bytes[page.size++] = (byte) pending;
        pending >>>= Byte.SIZE;
        bits -= Byte.SIZE;
      }
    }
  }

  private static boolean allAlike(int[] values, int count) {
    for (int i = 1; i < count; i++) {
      if (values[i] != values[0]) {
        return false;
      }
    }
    return true;
  }
}
