package org.kblake.cli.format;

import java.math.BigInteger;

/**
 * The 126 leading bits of powers of ten, rounded up, as Raffaello Giulietti's Schubfach needs them.
 *
 * <pre>
 *   g(k) = floor(10^-k * 2^-r) + 1 with r such that 2^125 &lt;= g(k) &lt; 2^126
 *   g(k) = high(k) * 2^63 + low(k)
 * </pre>
 *
 * The table is computed when the first number needs it: that takes a few milliseconds, and an
 * answer of integers or short decimals never does.
 */
final class PowersOfTen {

  /** The smallest k: that of {@link Double#MIN_VALUE}. */
  static final int MIN_K = -324;

  /** The largest k: that of {@link Double#MAX_VALUE}. */
  static final int MAX_K = 292;

  private PowersOfTen() {}

  static long high(int k) {
    return Table.WORDS[k - MIN_K << 1];
  }

  static long low(int k) {
    return Table.WORDS[(k - MIN_K << 1) + 1];
  }

  /** {@code high(k)} for any k, computed at every call. */
  static long leading63(int k) {
    BigInteger power = BigInteger.TEN.pow(Math.abs(k));
    BigInteger floor = k <= 0 ? leading(power) : leadingOfInverse(power);
    return floor.add(BigInteger.ONE).shiftRight(63).longValueExact();
  }

  /** floor(log10(2^q)) for |q| up to some millions. */
  static int floorLog10Pow2(int q) {
    return (int) (q * 661_971_961_083L >> 41);
  }

  /** floor(log2(10^e)). */
  static int floorLog2Pow10(int e) {
    return (int) (e * 913_124_641_741L >> 38);
  }

  private static final class Table {
    static final long[] WORDS = table();
  }

  private static long[] table() {
    long[] table = new long[MAX_K - MIN_K + 1 << 1];
    BigInteger mask = BigInteger.ONE.shiftLeft(63).subtract(BigInteger.ONE);
    BigInteger power = BigInteger.ONE;
    for (int exponent = 0; exponent <= -MIN_K; exponent++) {
      put(table, -exponent, leading(power), mask);
      if (0 < exponent && exponent <= MAX_K) {
        put(table, exponent, leadingOfInverse(power), mask);
      }
      power = power.multiply(BigInteger.TEN);
    }
    return table;
  }

  private static BigInteger leading(BigInteger power) {
    return power.shiftLeft(126 - power.bitLength());
  }

  private static BigInteger leadingOfInverse(BigInteger power) {
    // 2^(length-1) < power < 2^length, so the quotient is in [2^125, 2^126)
    return BigInteger.ONE.shiftLeft(125 + power.bitLength()).divide(power);
  }

  private static void put(long[] table, int k, BigInteger floor, BigInteger mask) {
    BigInteger g = floor.add(BigInteger.ONE);
    table[k - MIN_K << 1] = g.shiftRight(63).longValueExact();
    table[(k - MIN_K << 1) + 1] = g.and(mask).longValueExact();
  }
}
