package org.kblake.server.internal.appliance.operator;

import java.util.Arrays;

/**
 * The moments of a bin's numbers, by the update of Welford and Pebay.
 *
 * <p>The first number is the origin. The distances from it are scaled by a power of two, after the
 * largest of them, so that no fourth power overflows, and none that matters underflows.
 */
final class Moments {

  /** The exponent of distances that are all 0. */
  private static final int NO_SCALE = Integer.MIN_VALUE;

  private long count;
  private double origin;
  private int scale = NO_SCALE;
  private double mean;
  private double m2;
  private double m3;
  private double m4;

  /** The sum of the infinite numbers; 0 if there is none. */
  private double infinities;

  private double min = Double.NaN;
  private double max = Double.NaN;
  private double last = Double.NaN;
  private int severity;
  private double[] numbers = new double[0];

  void addSeverity(int other) {
    severity = Math.max(severity, other);
  }

  /** Adds a number that is not NaN. */
  void add(double number) {
    count++;
    min = count == 1 || Double.compare(number, min) < 0 ? number : min;
    max = count == 1 || Double.compare(number, max) > 0 ? number : max;
    last = number;
    if (Double.isInfinite(number)) {
      infinities += number;
    } else if (infinities == 0) {
      addDistance(number);
    }
  }

  private void addDistance(double number) {
    if (count == 1) {
      origin = number;
      return;
    }
    double distance = scaled(number);
    double before = count - 1;
    double n = count;
    double delta = distance - mean;
    double deltaN = delta / n;
    double term = delta * deltaN * before;
    mean += deltaN;
    m4 += term * deltaN * deltaN * (n * n - 3 * n + 3) + 6 * deltaN * deltaN * m2 - 4 * deltaN * m3;
    m3 += term * deltaN * (n - 2) - 3 * deltaN * m2;
    m2 += term;
  }

  /** Returns a number's distance from the origin, between -2 and 2, in the scale of the moments. */
  private double scaled(double number) {
    double distance = number - origin;
    int exponent = 0;
    if (Double.isInfinite(distance)) {
      distance = number / 2 - origin / 2;
      exponent = 1;
    }
    if (distance == 0) {
      return 0;
    }
    int needed = Math.getExponent(distance) + exponent;
    if (scale == NO_SCALE) {
      scale = needed;
    } else if (needed > scale) {
      int down = Math.max(scale - needed, -2 * Double.MAX_EXPONENT);
      mean = Math.scalb(mean, down);
      m2 = Math.scalb(m2, 2 * down);
      m3 = Math.scalb(m3, 3 * down);
      m4 = Math.scalb(m4, 4 * down);
      scale = needed;
    }
    return Math.scalb(distance, exponent - scale);
  }

  void keep(double number) {
    int at = (int) count - 1;
    if (at == numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.max(8, at + (at >> 1)));
    }
    numbers[at] = number;
  }

  void write(Figures to) {
    to.count = count;
    to.mean = mean();
    to.deviation = deviation();
    to.min = min;
    to.max = max;
    to.last = last;
    to.severity = severity;
    to.skewness = skewness();
    to.kurtosis = kurtosis();
    to.median = median();
  }

  private double mean() {
    if (count == 0 || infinities != 0) {
      return count == 0 ? Double.NaN : infinities;
    }
    double unscaled = scale == NO_SCALE ? 0 : Math.scalb(mean, scale - 1);
    // The mean is between two of the numbers. Its distance from the first one may be larger.
    return Math.abs(origin) < 1 && Math.abs(unscaled) < 1
        ? origin + 2 * unscaled
        : Math.max(min, Math.min(max, 2 * (origin / 2 + unscaled)));
  }

  private double deviation() {
    if (count == 0 || infinities != 0) {
      return Double.NaN;
    }
    return scale == NO_SCALE ? 0 : Math.scalb(Math.sqrt(m2 / (count - 1)), scale);
  }

  private double skewness() {
    double n = count;
    if (count < 3 || infinities != 0) {
      return Double.NaN;
    }
    double variance = m2 / (n - 1);
    return m2 == 0 ? 0 : n / ((n - 1) * (n - 2)) * m3 / (variance * Math.sqrt(variance));
  }

  private double kurtosis() {
    double n = count;
    if (count < 4 || infinities != 0) {
      return Double.NaN;
    }
    double variance = m2 / (n - 1);
    return m2 == 0
        ? 0
        : n * (n + 1) / ((n - 1) * (n - 2) * (n - 3)) * m4 / (variance * variance)
            - 3 * (n - 1) * (n - 1) / ((n - 2) * (n - 3));
  }

  private double median() {
    if (count == 0 || numbers.length == 0) {
      return Double.NaN;
    }
    int n = (int) count;
    double[] sorted = Arrays.copyOf(numbers, n);
    Arrays.sort(sorted);
    double upper = sorted[n / 2];
    if (n % 2 == 1) {
      return upper;
    }
    double lower = sorted[n / 2 - 1];
    double sum = lower + upper;
    return Double.isInfinite(sum) ? lower / 2 + upper / 2 : sum / 2;
  }
}
