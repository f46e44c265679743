package org.kblake.core.internal.parquet.encoding;

/**
 * Unpacks eight deltas, and adds them up to eight values. The generated {@code DeltaWidths} calls
 * it in loops.
 *
 * <p>Eight packed values of any width fill whole bytes. Value i begins in byte (i x width) / 8 at
 * bit (i x width) % 8. The caller passes the width as a constant. After inlining, the JVM's
 * compiler computes these positions as constants. It inlines only small methods, so this one is
 * kept small. Two values are read from one word of 64 bits. Two values of up to 28 bits fit at any
 * bit of the first byte. Values of 29, 30 and 32 bits begin at bits at which two of them fit.
 * Values of 31 bits do not, and are read one by one.
 */
final class DeltaUnpacking {

  private DeltaUnpacking() {}

  /**
   * Unpacks a group of eight. The array has 8 more bytes behind the group, with any contents.
   *
   * @param width 1 to 32
   * @param min added to each delta
   * @param before the value before the first of the eight
   * @return the last value
   */
  static long unpackEight(
      byte[] bytes, int place, int width, long min, long before, long[] into, int at) {
    long mask = (1L << width) - 1;
    long two = word(bytes, place, 0);
    long a = before + (min + (two & mask));
    long b = a + (min + (second(two, bytes, place, width, width) & mask));
    two = word(bytes, place, 2 * width);
    long c = b + (min + (two & mask));
    long d = c + (min + (second(two, bytes, place, 3 * width, width) & mask));
    into[at] = a;
    into[at + 1] = b;
    into[at + 2] = c;
    into[at + 3] = d;
    two = word(bytes, place, 4 * width);
    a = d + (min + (two & mask));
    b = a + (min + (second(two, bytes, place, 5 * width, width) & mask));
    two = word(bytes, place, 6 * width);
    c = b + (min + (two & mask));
    d = c + (min + (second(two, bytes, place, 7 * width, width) & mask));
    into[at + 4] = a;
    into[at + 5] = b;
    into[at + 6] = c;
    into[at + 7] = d;
    return d;
  }

  /**
   * Returns the second value of a word. {@code bit} is its first bit, counted from {@code place}.
   */
  private static long second(long two, byte[] bytes, int place, int bit, int width) {
    return width == 31 ? word(bytes, place, bit) : two >>> width;
  }

  private static long word(byte[] bytes, int place, int bit) {
    return LittleEndian.getLong(bytes, place + (bit >>> 3)) >>> (bit & 7);
  }
}
