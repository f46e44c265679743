package org.kblake.simulate.machine;

/**
 * Standard normal numbers from a table of quantiles: one load each, and the same bits everywhere.
 *
 * <p>The table holds the normal quantiles of (i + 0.5) / 4096, so its ends are at 3.7 sigma. Each
 * is P. J. Acklam's rational approximation of the inverse (relative error 1.15e-9), which needs
 * nothing beyond +, *, / and {@code sqrt}, exact since JEP 306, and {@link StrictMath#log}.
 */
public final class Gaussian {

  private static final int BITS = 12;

  /** Picks a quantile from a random number. */
  static final int MASK = (1 << BITS) - 1;

  private static final double CENTRE = 0.02425;

  private static final double[] A = {
    -3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
    1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00
  };
  private static final double[] B = {
    -5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
    6.680131188771972e+01, -1.328068155288572e+01, 1.0
  };
  private static final double[] C = {
    -7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
    -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00
  };
  private static final double[] D = {
    7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00, 1.0
  };

  /** Quantiles in ascending order; a power of two of them. */
  static final float[] QUANTILES = quantiles();

  private Gaussian() {}

  /** The quantile that a random number's lowest bits pick. */
  public static double of(long random) {
    return QUANTILES[(int) random & MASK];
  }

  private static float[] quantiles() {
    float[] quantiles = new float[1 << BITS];
    for (int i = 0; i < quantiles.length; i++) {
      quantiles[i] = (float) quantile((i + 0.5) / quantiles.length);
    }
    return quantiles;
  }

  static double quantile(double probability) {
    if (probability > 0.5) {
      return -quantile(1 - probability);
    }
    if (probability < CENTRE) {
      double q = Math.sqrt(-2 * StrictMath.log(probability));
      return polynomial(C, q) / polynomial(D, q);
    }
    double q = probability - 0.5;
    double r = q * q;
    return q * polynomial(A, r) / polynomial(B, r);
  }

  private static double polynomial(double[] coefficients, double x) {
    double sum = 0;
    for (double coefficient : coefficients) {
      sum = sum * x + coefficient;
    }
    return sum;
  }
}
