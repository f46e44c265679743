package org.kblake.format.number;

/**
 * Writes floating-point numbers as the shortest decimal that reads back as the same number. Of
 * several equally short decimals it is the nearest. The bytes are the same on every JDK. The form
 * is that of Python's {@code repr}:
 *
 * <pre>
 *   0.0001 &lt;= |v| &lt; 10^16   plain, with a point:         0.1   -12.0   123456.789
 *   outside                 one digit, exponent:         1e-05   9.402521e-08   -1e+300
 *   zeros                   0.0   -0.0
 *   not finite              NaN   Infinity   -Infinity
 * </pre>
 *
 * Not thread safe: it keeps the number of decimal places of the last number.
 */
public final class DecimalText {

  /*
   * Most readings are short decimals: a converter quantised them, or a person typed them. They take
   * a fast path. Let v be n/10^p rounded, with n < 10^15 and p <= 22. Then n and 10^p are exact
   * doubles, and n/10^p computed in floating point is v. Two decimals of at most 15 digits never
   * give the same double. So n without its trailing zeros is the shortest decimal. The fast path
   * tries the p of the previous number, and needs one multiplication and one division. (A float has
   * 6 digits. Its division is done in double and rounded to float, which is correct because
   * 53 >= 2 * 24 + 2.)
   *
   * The other numbers take Schubfach: Raffaello Giulietti, "The Schubfach way to render doubles",
   * 2020, https://drive.google.com/file/d/1IEeATSVnEE6TkrHlCYNY2GjaraBjOT4f. Java's own
   * Double.toString uses it since JDK 19. But it requires two digits (4.9E-324 instead of 5e-324),
   * and allocates.
   */

  /** The maximum length of a number in bytes. */
  public static final int MAX_BYTES = 26;

  private static final long DOUBLE_DIGITS_BOUND = 1_000_000_000_000_000L;
  private static final long FLOAT_DIGITS_BOUND = 1_000_000;
  private static final int MAX_PLACES = 15;

  /** Fractions of up to this number of decimal places are computed at once. */
  private static final int FEW_PLACES = 8;

  /** Smaller numbers have an exponent. */
  private static final double MIN_PLAIN = 1e-4;

  private static final long DOUBLE_HIDDEN_BIT = 1L << 52;
  private static final int DOUBLE_MIN_EXPONENT = -1074;
  private static final int FLOAT_HIDDEN_BIT = 1 << 23;
  private static final int FLOAT_MIN_EXPONENT = -149;

  private static final byte[] ZERO = {'0', '.', '0'};
  private static final byte[] NAN = {'N', 'a', 'N'};
  private static final byte[] INFINITY = {'I', 'n', 'f', 'i', 'n', 'i', 't', 'y'};

  private static final double[] POWERS = new double[MAX_PLACES + 1];

  static {
    for (int places = 0; places <= MAX_PLACES; places++) {
      POWERS[places] = Digits.power(places);
    }
  }

  /** The decimal places of the last number if it had few digits; -1 otherwise. */
  private int places;

  /**
   * Writes the shortest decimal that reads back as the same double.
   *
   * @param target an array with room for {@link #MAX_BYTES} from {@code at} on
   * @return the position after the number
   */
  public int write(double value, byte[] target, int at) {
    double magnitude = Math.abs(value);
    if (!(magnitude <= Double.MAX_VALUE)) {
      return writeNotFinite(value, target, at);
    }
    int start = at;
    long bits = Double.doubleToRawLongBits(value);
    if (bits < 0) {
      target[start++] = '-';
    }
    if (magnitude == 0) {
      return append(ZERO, target, start);
    }
    if (places >= 0) {
      double scaled = magnitude * POWERS[places];
      if (scaled < DOUBLE_DIGITS_BOUND) {
        long digits = (long) (scaled + 0.5);
        if (digits / POWERS[places] == magnitude) {
          return writeShort(magnitude, digits, target, start);
        }
      }
    }
    long fraction = bits & DOUBLE_HIDDEN_BIT - 1;
    int biased = (int) (bits >>> 52) & 0x7ff;
    return biased == 0
        ? schubfach(DOUBLE_MIN_EXPONENT, fraction, false, target, start)
        : schubfach(
            DOUBLE_MIN_EXPONENT + biased - 1,
            DOUBLE_HIDDEN_BIT | fraction,
            fraction == 0 && biased > 1,
            target,
            start);
  }

  /**
   * Writes the shortest decimal that reads back as the same float.
   *
   * @param target an array with room for {@link #MAX_BYTES} from {@code at} on
   * @return the position after the number
   */
  public int write(float value, byte[] target, int at) {
    float magnitude = Math.abs(value);
    if (!(magnitude <= Float.MAX_VALUE)) {
      return writeNotFinite(value, target, at);
    }
    int start = at;
    int bits = Float.floatToRawIntBits(value);
    if (bits < 0) {
      target[start++] = '-';
    }
    if (magnitude == 0) {
      return append(ZERO, target, start);
    }
    if (places >= 0) {
      double scaled = magnitude * POWERS[places];
      if (scaled < FLOAT_DIGITS_BOUND) {
        long digits = (long) (scaled + 0.5);
        if ((float) (digits / POWERS[places]) == magnitude) {
          return writeShort(magnitude, digits, target, start);
        }
      }
    }
    int fraction = bits & FLOAT_HIDDEN_BIT - 1;
    int biased = bits >>> 23 & 0xff;
    return biased == 0
        ? schubfach(FLOAT_MIN_EXPONENT, fraction, false, target, start)
        : schubfach(
            FLOAT_MIN_EXPONENT + biased - 1,
            FLOAT_HIDDEN_BIT | fraction,
            fraction == 0 && biased > 1,
            target,
            start);
  }

  private static int writeNotFinite(double value, byte[] target, int at) {
    if (Double.isNaN(value)) {
      return append(NAN, target, at);
    }
    int start = at;
    if (value < 0) {
      target[start++] = '-';
    }
    return append(INFINITY, target, start);
  }

  private static int append(byte[] word, byte[] target, int at) {
    System.arraycopy(word, 0, target, at, word.length);
    return at + word.length;
  }

  /**
   * Writes digits / 10^places.
   *
   * @param magnitude this number, rounded; never up to an integer, because it has few digits
   */
  private int writeShort(double magnitude, long digits, byte[] target, int at) {
    if (places <= FEW_PLACES && magnitude >= MIN_PLAIN) {
      long whole = (long) magnitude;
      int fraction = (int) (digits - whole * Digits.power(places));
      int point = Digits.writeLong(whole, target, at);
      target[point] = '.';
      long eight = Digits.eight(fraction * (int) Digits.power(FEW_PLACES - places));
      Digits.write8(eight, target, point + 1);
      int zeros = Long.numberOfLeadingZeros(eight) / Byte.SIZE;
      return point + 1 + FEW_PLACES - Math.min(zeros, FEW_PLACES - 1);
    }
    long rest = digits;
    int exponent = -places;
    while (exponent < 0) {
      long tenth = rest / 10;
      if (tenth * 10 != rest) {
        break;
      }
      rest = tenth;
      exponent++;
    }
    return layOut(rest, exponent, target, at);
  }

  /**
   * Writes c * 2^q.
   *
   * @param unevenGaps whether the gap to the next smaller number is half of the gap to the next
   *     larger one
   */
  private int schubfach(int q, long c, boolean unevenGaps, byte[] target, int at) {
    // If c is odd, the ends of its rounding interval belong to its neighbours
    int out = (int) c & 1;
    long cb = c << 2;
    long cbr = cb + 2;
    long cbl;
    int k;
    if (unevenGaps) {
      cbl = cb - 1;
      k = floorLog10ThreeQuartersPow2(q);
    } else {
      cbl = cb - 2;
      k = PowersOfTen.floorLog10Pow2(q);
    }
    int h = q + PowersOfTen.floorLog2Pow10(-k) + 2;
    PowersOfTen.Power power = PowersOfTen.of(k);
    long g1 = power.high();
    long g0 = power.low();
    long vb = roundToOdd(g1, g0, cb << h);
    long vbl = roundToOdd(g1, g0, cbl << h);
    long vbr = roundToOdd(g1, g0, cbr << h);

    long s = vb >> 2;
    if (s >= 10) {
      long tens = s / 10 * 10;
      boolean below = vbl + out <= tens << 2;
      boolean above = (tens + 10 << 2) + out <= vbr;
      if (below != above) {
        return finish(below ? tens : tens + 10, k, target, at);
      }
    }
    boolean below = vbl + out <= s << 2;
    boolean above = (s + 1 << 2) + out <= vbr;
    if (below != above) {
      return finish(below ? s : s + 1, k, target, at);
    }
    long half = vb - (s + s + 1 << 1);
    return finish(half < 0 || half == 0 && (s & 1) == 0 ? s : s + 1, k, target, at);
  }

  private int finish(long digits, int k, byte[] target, int at) {
    long rest = digits;
    int exponent = k;
    while (true) {
      long tenth = rest / 10;
      if (tenth * 10 != rest) {
        break;
      }
      rest = tenth;
      exponent++;
    }
    boolean few = rest < DOUBLE_DIGITS_BOUND && -MAX_PLACES <= exponent && exponent <= MAX_PLACES;
    places = few ? Math.max(0, -exponent) : -1;
    return layOut(rest, exponent, target, at);
  }

  private static long roundToOdd(long g1, long g0, long cp) {
    long x1 = Math.multiplyHigh(g0, cp);
    long y0 = g1 * cp;
    long y1 = Math.multiplyHigh(g1, cp);
    long z = (y0 >>> 1) + x1;
    long w = y1 + (z >>> 63);
    return w | (z & Long.MAX_VALUE) + Long.MAX_VALUE >>> 63;
  }

  /** Returns floor(log10(3/4 * 2^q)). */
  private static int floorLog10ThreeQuartersPow2(int q) {
    return (int) (q * 661_971_961_083L - 274_743_187_321L >> 41);
  }

  /** Writes digits * 10^exponent. A fraction's digits do not end in a zero. */
  private static int layOut(long digits, int exponent, byte[] target, int at) {
    int count = Digits.count(digits);
    int point = count + exponent;
    if (point > 16 || point < -3) {
      return layOutWithExponent(digits, count, point - 1, target, at);
    }
    if (exponent >= 0) {
      Digits.write(digits, count, target, at);
      int end = at + count;
      for (int i = 0; i < exponent; i++) {
        target[end++] = '0';
      }
      target[end] = '.';
      target[end + 1] = '0';
      return end + 2;
    }
    if (point > 0) {
      long power = Digits.power(-exponent);
      long whole = digits / power;
      Digits.write(whole, point, target, at);
      target[at + point] = '.';
      Digits.write(digits - whole * power, -exponent, target, at + point + 1);
      return at + count + 1;
    }
    target[at] = '0';
    target[at + 1] = '.';
    int start = at + 2;
    for (int i = point; i < 0; i++) {
      target[start++] = '0';
    }
    Digits.write(digits, count, target, start);
    return start + count;
  }

  private static int layOutWithExponent(
      long digits, int count, int exponent, byte[] target, int at) {
    Digits.write(digits, count, target, at + 1);
    target[at] = target[at + 1];
    int end = at + 1;
    if (count > 1) {
      target[end] = '.';
      end = at + 1 + count;
    }
    target[end++] = 'e';
    target[end++] = (byte) (exponent < 0 ? '-' : '+');
    int magnitude = Math.abs(exponent);
    if (magnitude >= 100) {
      target[end++] = (byte) ('0' + magnitude / 100);
    }
    Digits.write2(magnitude % 100, target, end);
    return end + 2;
  }
}
