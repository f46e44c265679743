package org.kblake.format.number;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Writes floating-point numbers as {@code printf("%e")} of C does: one digit, a point, six digits,
 * and an exponent of two digits or more. The exact binary value is rounded half-even. Java's own
 * {@code %e} rounds the shortest decimal instead, so its last digit sometimes differs.
 *
 * <pre>
 *   9.402521e-08   -1.000000e+300   0.000000e+00   -0.000000e+00   NaN   INF   -INF
 * </pre>
 *
 * A float is widened first, which is exact. Not thread safe.
 */
public final class ExponentText {

  /*
   * v = c * 2^(b-62) with c normalised to 63 bits. It is multiplied by the 63 leading bits of
   * 10^-k, where k is such that seven digits precede the point. The product in fixed point has more
   * than 35 bits after the point. It is below the exact product by less than 2 units of its last
   * bit. This decides the rounding, unless the fraction is within this error of one half. In that
   * case v may be a tie, which a few integer operations decide exactly. If it is not a tie,
   * BigDecimal rounds it, which happens for one of 2^34 random numbers.
   */

  /** The maximum length of a number in bytes. */
  public static final int MAX_BYTES = 16;

  private static final int DIGITS_BEHIND_POINT = 6;
  private static final long SEVEN_DIGITS = 1_000_000;
  private static final long EIGHT_DIGITS = 10_000_000;

  /** An upper bound of the product's error, in units of its last bit. */
  private static final long ERROR = 4;

  private static final int MIN_K = -324 - DIGITS_BEHIND_POINT;
  private static final int MAX_K = 309 - DIGITS_BEHIND_POINT;

  private static final MathContext SEVEN = new MathContext(7, RoundingMode.HALF_EVEN);

  private static final byte[] ZERO = {'0', '.', '0', '0', '0', '0', '0', '0', 'e', '+', '0', '0'};
  private static final byte[] NAN = {'N', 'a', 'N'};
  private static final byte[] INFINITY = {'I', 'N', 'F'};

  /** The leading 63 bits of 10^-k; 0 if not computed yet. An answer needs few of them. */
  private final long[] powers = new long[MAX_K - MIN_K + 1];

  /**
   * Writes a number.
   *
   * @param target an array with room for {@link #MAX_BYTES} from {@code at} on
   * @return the position after the number
   */
  public int write(double value, byte[] target, int at) {
    long bits = Double.doubleToRawLongBits(value);
    int start = at;
    int biased = (int) (bits >>> 52) & 0x7ff;
    long fraction = bits & (1L << 52) - 1;
    if (biased == 0x7ff && fraction != 0) {
      return append(NAN, target, start);
    }
    if (bits < 0) {
      target[start++] = '-';
    }
    if (biased == 0x7ff) {
      return append(INFINITY, target, start);
    }
    if (biased == 0) {
      if (fraction == 0) {
        return append(ZERO, target, start);
      }
      int zeros = Long.numberOfLeadingZeros(fraction);
      return write(fraction << zeros - 1, 63 - zeros - 1074, target, start);
    }
    return write((1L << 52 | fraction) << 10, biased - 1023, target, start);
  }

  /** Writes c * 2^(b-62), which is in [2^b, 2^(b+1)). */
  private int write(long c, int b, byte[] target, int at) {
    int exponent = PowersOfTen.floorLog10Pow2(b);
    while (true) {
      int k = exponent - DIGITS_BEHIND_POINT;
      long product = Math.multiplyHigh(power(k), c);
      int point = 60 - b - PowersOfTen.floorLog2Pow10(-k);
      long digits = product >>> point;
      if (digits >= EIGHT_DIGITS) {
        exponent++;
        continue;
      }
      long half = 1L << point - 1;
      long behind = (product & (1L << point) - 1) - half;
      if (behind + ERROR >= 0 && behind <= ERROR) {
        digits = nearHalf(digits, c, b - 62, k);
      } else if (behind > 0) {
        digits++;
      }
      if (digits >= EIGHT_DIGITS) {
        digits = SEVEN_DIGITS;
        exponent++;
      }
      return layOut((int) digits, exponent, target, at);
    }
  }

  private long power(int k) {
    long power = powers[k - MIN_K];
    if (power == 0) {
      power = PowersOfTen.leading63(k);
      powers[k - MIN_K] = power;
    }
    return power;
  }

  /** Rounds c * 2^q / 10^k, which is digits + 1/2 or very close to it. */
  private static long nearHalf(long digits, long c, int q, int k) {
    int twos = Long.numberOfTrailingZeros(c);
    long odd = c >>> twos;
    // a tie: odd * 2^(twos+q+1) == (2 digits + 1) * 5^k * 2^k
    long twice = 2 * digits + 1;
    boolean tie =
        twos + q + 1 == k
            && (k >= 0
                ? k <= 27 && Math.multiplyHigh(twice, power5(k)) == 0 && twice * power5(k) == odd
                : -k <= 27 && Math.multiplyHigh(odd, power5(-k)) == 0 && odd * power5(-k) == twice);
    if (tie) {
      return digits + (digits & 1);
    }
    return new BigDecimal(Math.scalb((double) odd, q + twos))
        .round(SEVEN)
        .scaleByPowerOfTen(-k)
        .longValueExact();
  }

  private static long power5(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 5;
    }
    return power;
  }

  private static int layOut(int digits, int exponent, byte[] target, int at) {
    int first = digits / 1_000_000;
    int rest = digits - first * 1_000_000;
    target[at] = (byte) ('0' + first);
    target[at + 1] = '.';
    int high = rest / 10_000;
    Digits.write2(high, target, at + 2);
    Digits.write4(rest - high * 10_000, target, at + 4);
    target[at + 8] = 'e';
    target[at + 9] = (byte) (exponent < 0 ? '-' : '+');
    int magnitude = Math.abs(exponent);
    int end = at + 10;
    if (magnitude >= 100) {
      int hundreds = magnitude / 100;
      target[end++] = (byte) ('0' + hundreds);
      magnitude -= hundreds * 100;
    }
    Digits.write2(magnitude, target, end);
    return end + 2;
  }

  private static int append(byte[] word, byte[] target, int at) {
    System.arraycopy(word, 0, target, at, word.length);
    return at + word.length;
  }
}
