package org.kblake.benchmarks;

import java.util.Arrays;

/**
 * Estimates the entropy of numbers in bits each. Numbers count as independent of each other, or
 * their differences do if these have less entropy.
 *
 * <p>If at most half of the numbers are distinct, the estimate comes from their frequencies, with
 * the correction of Miller and Madow. Otherwise it comes from the distances in their sorted order,
 * as of a smooth density (Vasicek).
 */
final class EntropyEstimate {

  private static final double LN_2 = Math.log(2);

  /** The largest deviation of a double from a grid, as a fraction of the grid's step. */
  private static final double GRID_TOLERANCE = 0.01;

  private EntropyEstimate() {}

  /** Returns the smaller of the entropies of the numbers and of their differences. */
  static double ofSeries(long[] numbers) {
    if (numbers.length < 2) {
      return 0;
    }
    long[] differences = new long[numbers.length - 1];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = numbers[i + 1] - numbers[i];
    }
    return Math.min(ofNumbers(numbers), ofNumbers(differences));
  }

  /** Returns the entropy of independent numbers. */
  static double ofNumbers(long[] numbers) {
    long[] sorted = numbers.clone();
    Arrays.sort(sorted);
    int distinct = sorted.length == 0 ? 0 : 1;
    for (int i = 1; i < sorted.length; i++) {
      distinct += sorted[i] == sorted[i - 1] ? 0 : 1;
    }
    if (distinct < 2) {
      return 0;
    }
    return distinct <= sorted.length / 2 ? ofFrequencies(sorted, distinct) : ofDistances(sorted);
  }

  private static double ofFrequencies(long[] sorted, int distinct) {
    double count = sorted.length;
    double bits = 0;
    for (int from = 0; from < sorted.length; ) {
      int to = from + 1;
      while (to < sorted.length && sorted[to] == sorted[from]) {
        to++;
      }
      bits -= (to - from) / count * Math.log((to - from) / count) / LN_2;
      from = to;
    }
    return bits + (distinct - 1) / (2 * count * LN_2);
  }

  private static double ofDistances(long[] sorted) {
    int reach = (int) Math.max(1, Math.sqrt(sorted.length));
    int pairs = sorted.length - reach;
    double bits = 0;
    for (int i = 0; i < pairs; i++) {
      double distance = Math.max(1, (double) sorted[i + reach] - sorted[i]);
      bits += Math.log(distance * (sorted.length + 1) / reach) / LN_2;
    }
    return Math.max(0, bits / pairs);
  }

  /**
   * Returns integers in the place of doubles. Doubles on a grid, such as readings of an ADC, give
   * the numbers of their grid points. Others give integers in the same order, one for each double
   * that exists.
   *
   * @param bits the bits of doubles that are not NaN
   */
  static long[] integers(long[] bits) {
    double[] sorted = Arrays.stream(bits).mapToDouble(Double::longBitsToDouble).sorted().toArray();
    double step = Double.POSITIVE_INFINITY;
    for (int i = 1; i < sorted.length; i++) {
      double distance = sorted[i] - sorted[i - 1];
      step = distance > 0 ? Math.min(step, distance) : step;
    }
    long[] points = new long[bits.length];
    for (int i = 0; i < bits.length; i++) {
      double point = (Double.longBitsToDouble(bits[i]) - sorted[0]) / step;
      points[i] = Math.round(point);
      if (!(Math.abs(point - points[i]) <= GRID_TOLERANCE) || points[i] > Integer.MAX_VALUE) {
        return Arrays.stream(bits).map(it -> it ^ (it >> 63 & Long.MAX_VALUE)).toArray();
      }
    }
    return points;
  }
}
