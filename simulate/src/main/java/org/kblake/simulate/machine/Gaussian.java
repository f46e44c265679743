package org.kblake.simulate.machine;

/**
 * Random numbers of the standard normal distribution from a table of quantiles. A number takes one
 * load, and has the same bits on every JDK.
 *
 * <p>The table contains the quantiles of (i + 0.5) / 4096, up to 3.7 sigma. They are computed by P.
 * J. Acklam's rational approximation (relative error 1.15e-9). It only needs +, *, / and {@code
 * sqrt}, whose results are the same on every JDK since JEP 306, and {@link StrictMath#log}.
 */
public final class Gaussian {

  private static final int BITS = 12;

  /** The mask of the bits of a random number that are the index of its quantile. */
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

  /** The quantiles in ascending order. Their number is a power of two. */
  static final float[] QUANTILES = quantiles();

  private Gaussian() {}

  /** Returns the quantile at the index in a random number's lowest bits. */
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
