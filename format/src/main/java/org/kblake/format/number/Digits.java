package org.kblake.format.number;

/** Writes decimal digits of integers, two at a time. */
public final class Digits {

  /** The maximum length of {@link #writeLong} in bytes. */
  public static final int MAX_LONG_BYTES = 20;

  /** The pairs of digits "00" to "99". */
  private static final byte[] PAIRS = new byte[200];

  private static final long[] POWERS = new long[19];

  static {
    for (int i = 0; i < 100; i++) {
      PAIRS[2 * i] = (byte) ('0' + i / 10);
      PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
    }
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private Digits() {}

  /** Returns a power of ten, for exponents from 0 to 18. */
  static long power(int exponent) {
    return POWERS[exponent];
  }

  /** Returns the number of digits of a non-negative number; one for 0. */
  static int count(long value) {
    // 1233 / 4096 is just above log10(2), so the guess is right or one too high
    int guess = (64 - Long.numberOfLeadingZeros(value | 1)) * 1233 >> 12;
    return guess < POWERS.length && value >= POWERS[guess] ? guess + 1 : Math.max(guess, 1);
  }

  /** Writes a number from 0 to 99 with exactly two digits. */
  public static void write2(int value, byte[] target, int at) {
    target[at] = PAIRS[2 * value];
    target[at + 1] = PAIRS[2 * value + 1];
  }

  /** Writes exactly eight digits. */
  static void write8(int value, byte[] target, int at) {
    write8(eight(value), target, at);
  }

  /**
   * Returns eight digits, one in each byte, the first in the lowest byte. They are computed side by
   * side: two times four, four times two, eight.
   */
  static long eight(int value) {
    long high = value / 10_000;
    long four = high | value - high * 10_000 << 32;
    long hundreds = four * 10_486 >>> 20 & 0x7f_0000_007fL;
    long two = hundreds | four - hundreds * 100 << 16;
    long tens = two * 103 >>> 10 & 0x0f_000f_000f_000fL;
    return tens | two - tens * 10 << 8;
  }

  /** Writes the digits that {@link #eight} returns. */
  static void write8(long eight, byte[] target, int at) {
    long text = eight | 0x3030_3030_3030_3030L;
    target[at] = (byte) text;
    target[at + 1] = (byte) (text >>> 8);
    target[at + 2] = (byte) (text >>> 16);
    target[at + 3] = (byte) (text >>> 24);
    target[at + 4] = (byte) (text >>> 32);
    target[at + 5] = (byte) (text >>> 40);
    target[at + 6] = (byte) (text >>> 48);
    target[at + 7] = (byte) (text >>> 56);
  }

  /** Writes exactly nine digits. */
  public static void write9(int value, byte[] target, int at) {
    int first = value / 100_000_000;
    target[at] = (byte) ('0' + first);
    write8(value - first * 100_000_000, target, at + 1);
  }

  /** Writes exactly four digits. */
  public static void write4(int value, byte[] target, int at) {
    int high = value / 100;
    write2(high, target, at);
    write2(value - high * 100, target, at + 2);
  }

  /**
   * Writes the last digits of a number, including leading zeros.
   *
   * @param count the number of digits
   */
  static void write(long value, int count, byte[] target, int at) {
    long rest = value;
    int end = at + count;
    while (end - at >= 8) {
      long above = rest / 100_000_000;
      end -= 8;
      write8((int) (rest - above * 100_000_000), target, end);
      rest = above;
    }
    int small = (int) (rest % 100_000_000);
    while (end - at >= 2) {
      int above = small / 100;
      end -= 2;
      write2(small - above * 100, target, end);
      small = above;
    }
    if (end > at) {
      target[at] = (byte) ('0' + small % 10);
    }
  }

  /** Writes a number without leading zeros. Returns the position after it. */
  public static int writeLong(long value, byte[] target, int at) {
    int start = at;
    if (value < 0) {
      target[start++] = '-';
    }
    long magnitude = Math.abs(value);
    if (magnitude < 0) {
      // Long.MIN_VALUE has no positive counterpart
      Digits.write(922_337_203_685_477_580L, 18, target, start);
      target[start + 18] = '8';
      return start + 19;
    }
    int count = count(magnitude);
    write(magnitude, count, target, start);
    return start + count;
  }
}
