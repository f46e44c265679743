package org.kblake.core.internal.parquet.encoding;

/**
 * Unpacks eight deltas into the sums of what they are added to. The generated {@code DeltaWidths}
 * calls it in loops.
 *
 * <p>Eight values of any width begin and end with a byte, so that value i of them begins in byte (i
 * x width) / 8 at bit (i x width) % 8. The caller's width is a constant, and so are these once the
 * caller is compiled. The compiler puts a method into another only while its own code is small. Two
 * values are taken from a word at a time: of up to 28 bits they fit wherever they begin, and those
 * of 29, 30 and 32 bits begin where they do; 31 bits do not.
 */
final class DeltaUnpacking {

  private DeltaUnpacking() {}

  /**
   * Unpacks a group of eight. Its bytes are there, and 8 more behind them, of any content.
   *
   * @param width 1 to 32
   * @param min added to each delta
   * @param before the value before the first
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

  /** The value behind the first of a word, which begins at a bit. */
  private static long second(long two, byte[] bytes, int place, int bit, int width) {
    return width == 31 ? word(bytes, place, bit) : two >>> width;
  }

  private static long word(byte[] bytes, int place, int bit) {
    return LittleEndian.getLong(bytes, place + (bit >>> 3)) >>> (bit & 7);
  }
}
