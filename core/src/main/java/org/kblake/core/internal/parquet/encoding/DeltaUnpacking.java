package org.kblake.core.internal.parquet.encoding;

/**
 * Unpacks deltas, eight at a time, into the sums of what they are added to.
 *
 * <p>Eight values of any width begin and end with a byte, so that value i of them begins in byte (i
 * x width) / 8 at bit (i x width) % 8. Each width has its own method, where these are constants
 * once it is compiled: with the width as a variable each value takes half as long again. What they
 * have in common does eight values and no more: the compiler puts a method into another only while
 * its own code is small. Two values are taken from a word at a time: of up to 28 bits they fit
 * wherever they begin, and those of 29, 30 and 32 bits begin where they do; 31 bits do not.
 */
final class DeltaUnpacking {

  /** The widest deltas that have a method: of times whose distances vary by up to 4 seconds. */
  static final int WIDEST = 32;

  private DeltaUnpacking() {}

  /**
   * Unpacks groups of eight. Their bytes are there, and 8 more behind them, of whatever content.
   *
   * @param width 1 to {@link #WIDEST}
   * @param min added to each delta
   * @param before the value before the first
   * @return the last value
   */
  static long unpack(
      byte[] bytes, int place, int width, long min, long before, long[] into, int at, int groups) {
    return switch (width) {
      case 1 -> width1(bytes, place, min, before, into, at, groups);
      case 2 -> width2(bytes, place, min, before, into, at, groups);
      case 3 -> width3(bytes, place, min, before, into, at, groups);
      case 4 -> width4(bytes, place, min, before, into, at, groups);
      case 5 -> width5(bytes, place, min, before, into, at, groups);
      case 6 -> width6(bytes, place, min, before, into, at, groups);
      case 7 -> width7(bytes, place, min, before, into, at, groups);
      case 8 -> width8(bytes, place, min, before, into, at, groups);
      case 9 -> width9(bytes, place, min, before, into, at, groups);
      case 10 -> width10(bytes, place, min, before, into, at, groups);
      case 11 -> width11(bytes, place, min, before, into, at, groups);
      case 12 -> width12(bytes, place, min, before, into, at, groups);
      case 13 -> width13(bytes, place, min, before, into, at, groups);
      case 14 -> width14(bytes, place, min, before, into, at, groups);
      case 15 -> width15(bytes, place, min, before, into, at, groups);
      case 16 -> width16(bytes, place, min, before, into, at, groups);
      case 17 -> width17(bytes, place, min, before, into, at, groups);
      case 18 -> width18(bytes, place, min, before, into, at, groups);
      case 19 -> width19(bytes, place, min, before, into, at, groups);
      case 20 -> width20(bytes, place, min, before, into, at, groups);
      case 21 -> width21(bytes, place, min, before, into, at, groups);
      case 22 -> width22(bytes, place, min, before, into, at, groups);
      case 23 -> width23(bytes, place, min, before, into, at, groups);
      case 24 -> width24(bytes, place, min, before, into, at, groups);
      case 25 -> width25(bytes, place, min, before, into, at, groups);
      case 26 -> width26(bytes, place, min, before, into, at, groups);
      case 27 -> width27(bytes, place, min, before, into, at, groups);
      case 28 -> width28(bytes, place, min, before, into, at, groups);
      case 29 -> width29(bytes, place, min, before, into, at, groups);
      case 30 -> width30(bytes, place, min, before, into, at, groups);
      case 31 -> width31(bytes, place, min, before, into, at, groups);
      case 32 -> width32(bytes, place, min, before, into, at, groups);
      default -> throw new IllegalArgumentException("no such width: " + width);
    };
  }

  private static long eight(
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

  private static long width1(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 1, 1, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width2(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 2, 2, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width3(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 3, 3, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width4(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 4, 4, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width5(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 5, 5, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width6(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 6, 6, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width7(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 7, 7, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width8(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 8, 8, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width9(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 9, 9, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width10(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 10, 10, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width11(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 11, 11, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width12(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 12, 12, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width13(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 13, 13, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width14(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 14, 14, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width15(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 15, 15, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width16(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 16, 16, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width17(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 17, 17, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width18(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 18, 18, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width19(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 19, 19, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width20(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 20, 20, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width21(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 21, 21, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width22(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 22, 22, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width23(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 23, 23, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width24(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 24, 24, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width25(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 25, 25, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width26(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 26, 26, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width27(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 27, 27, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width28(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 28, 28, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width29(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 29, 29, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width30(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 30, 30, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width31(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 31, 31, min, last, into, at + 8 * i);
    }
    return last;
  }

  private static long width32(
      byte[] bytes, int place, long min, long before, long[] into, int at, int groups) {
    long last = before;
    for (int i = 0; i < groups; i++) {
      last = eight(bytes, place + i * 32, 32, min, last, into, at + 8 * i);
    }
    return last;
  }
}
