package org.kblake.query.internal.moved;

import java.util.Arrays;

/**
 * The habit of a number in the baseline: its centre and its scale. Numbers are added first, then
 * {@link #settle} is called, then {@link #z}.
 */
final class Habit {

  /** The number of parts of the baseline. */
  static final int BLOCKS = 16;

  /** What happens in so many blocks or fewer is no habit. */
  static final int FORGIVEN = 2;

  /** Of fewer numbers than this all are habit. */
  private static final int FEW = 64;

  /** The scale of few numbers, n, is enlarged by this divided by n, because it is less certain. */
  private static final double FEWNESS = 2;

  private static final int MAX_KEPT = 256;

  /** Makes the reach of normal numbers a little less than what they are divided by. */
  private static final double REACH = 0.95;

  /** Distances of larger numbers may overflow. */
  private static final double LARGE = 0x1p1000;

  private static final double FACTOR_IF_LARGE = 0x1p-40;

  private final Sample sample = new Sample(MAX_KEPT);
  private final double[] least = new double[BLOCKS];
  private final double[] most = new double[BLOCKS];

  /** By which numbers are multiplied, so that their distances do not overflow. */
  private double factor = 1;

  private double centre;
  private double scale;

  Habit() {
    Arrays.fill(least, Double.POSITIVE_INFINITY);
    Arrays.fill(most, Double.NEGATIVE_INFINITY);
  }

  /**
   * @param number not NaN
   * @param block the part of the baseline, from 0 to 15
   */
  void add(double number, int block) {
    sample.add(number);
    least[block] = Math.min(least[block], number);
    most[block] = Math.max(most[block], number);
  }

  /** Returns how many numbers were added. */
  int count() {
    return sample.count();
  }

  /** Returns the centre; 0 if nothing was added. Nothing may be added afterwards. */
  double centre() {
    return sample.count() == 0 ? 0 : sample.quantile(0.5);
  }

  /**
   * Ends the baseline.
   *
   * @param floor the least scale
   */
  void settle(double floor) {
    if (sample.count() == 0) {
      return;
    }
    factor = largest() > LARGE ? FACTOR_IF_LARGE : 1;
    centre = sample.quantile(0.5) * factor;
    double[] reaches = new double[BLOCKS];
    for (int block = 0; block < BLOCKS; block++) {
      reaches[block] =
          Math.max(0, Math.max(most[block] * factor - centre, centre - least[block] * factor));
    }
    double few = sample.count() >= FEW ? 1 : 1 + FEWNESS / sample.count();
    scale = Math.max(floor * factor, few * sample.deviation(centre, factor));
    scale = Math.max(scale, scaleOfReach(reaches, sample.count()));
  }

  /**
   * Returns the standard deviation of normal numbers that reach as far.
   *
   * @param reaches the largest distance from the centre in each block; changed
   * @param count how many numbers there are
   */
  static double scaleOfReach(double[] reaches, int count) {
    Arrays.sort(reaches);
    if (count >= FEW) {
      return reaches[BLOCKS - 1 - FORGIVEN] / (REACH * Math.sqrt(2 * Math.log(count / 2.5)));
    }
    return reaches[BLOCKS - 1] / Math.sqrt(2 * Math.log(Math.max(2, count)));
  }

  /** Returns the largest absolute value. */
  private double largest() {
    double largest = 0;
    for (int block = 0; block < BLOCKS; block++) {
      if (least[block] <= most[block]) {
        largest = Math.max(largest, Math.max(Math.abs(least[block]), Math.abs(most[block])));
      }
    }
    return largest;
  }

  /** Returns the distance of a number from the centre, in units of the scale, with its sign. */
  double z(double number) {
    double distance = number * factor - centre;
    return distance == 0 ? 0 : distance / scale;
  }

  /** Returns whether the distance of two numbers is at least so many times the scale. */
  boolean isStep(double number, double other, double times) {
    return Math.abs(number * factor - other * factor) >= times * scale;
  }
}
