package org.kblake.format.number;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The 126 leading bits of powers of ten, rounded up, for Raffaello Giulietti's Schubfach.
 *
 * <pre>
 *   g(k) = floor(10^-k * 2^-r) + 1 with r such that 2^125 &lt;= g(k) &lt; 2^126
 *   g(k) = high(k) * 2^63 + low(k)
 * </pre>
 *
 * Each power is computed at its first use: computing all of them takes a new JVM some time, and an
 * answer needs few. Thread safe.
 */
final class PowersOfTen {

  /** The smallest k, that of {@link Double#MIN_VALUE}. */
  static final int MIN_K = -324;

  /** The largest k, that of {@link Double#MAX_VALUE}. */
  static final int MAX_K = 292;

  private static final BigInteger LOW_63_BITS =
      BigInteger.ONE.shiftLeft(63).subtract(BigInteger.ONE);

  private static final @Nullable Power[] KNOWN = new Power[MAX_K - MIN_K + 1];

  private PowersOfTen() {}

  /**
   * One g(k). Its fields are final, so that other threads see it completely.
   *
   * @param high the bits above the lower 63
   * @param low the lower 63 bits
   */
  record Power(long high, long low) {}

  /** Returns g(k). */
  static Power of(int k) {
    Power known = KNOWN[k - MIN_K];
    return known != null ? known : compute(k);
  }

  /** Computes g(k) and keeps it. Several threads may compute equal ones at the same time. */
  private static Power compute(int k) {
    BigInteger g = g(k);
    Power power = new Power(g.shiftRight(63).longValueExact(), g.and(LOW_63_BITS).longValueExact());
    KNOWN[k - MIN_K] = power;
    return power;
  }

  /** Returns {@code of(k).high()} for any k. It is computed at every call. */
  static long leading63(int k) {
    return g(k).shiftRight(63).longValueExact();
  }

  private static BigInteger g(int k) {
    BigInteger power = BigInteger.TEN.pow(Math.abs(k));
    BigInteger floor = k <= 0 ? leading(power) : leadingOfInverse(power);
    return floor.add(BigInteger.ONE);
  }

  /** Returns floor(log10(2^q)) for |q| up to some millions. */
  static int floorLog10Pow2(int q) {
    return (int) (q * 661_971_961_083L >> 41);
  }

  /** Returns floor(log2(10^e)). */
  static int floorLog2Pow10(int e) {
    return (int) (e * 913_124_641_741L >> 38);
  }

  private static BigInteger leading(BigInteger power) {
    return power.shiftLeft(126 - power.bitLength());
  }

  private static BigInteger leadingOfInverse(BigInteger power) {
    // 2^(length-1) < power < 2^length, so the quotient is in [2^125, 2^126)
    return BigInteger.ONE.shiftLeft(125 + power.bitLength()).divide(power);
  }
}
