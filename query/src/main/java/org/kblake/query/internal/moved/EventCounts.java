package org.kblake.query.internal.moved;

import java.util.Arrays;

/** The number of a channel's events in bins, and how many are usual. */
final class EventCounts {

  private static final int BINS = 720;
  private static final long MIN_NANOS = 1_000_000_000L;

  private final int[] ofBlock = new int[Habit.BLOCKS];
  private final int[] mostOfBin = new int[Habit.BLOCKS];
  private long bin = Long.MIN_VALUE;
  private int count;
  private double usual;
  private double scale = 1;

  /** Returns the width of a bin for a length of the baseline. */
  static long width(long baselineNanos) {
    return Math.max(MIN_NANOS, baselineNanos / BINS);
  }

  /** Adds an event of the baseline. */
  void add(long ofBin, int block) {
    count(ofBin);
    ofBlock[block]++;
    mostOfBin[block] = Math.max(mostOfBin[block], count);
  }

  /**
   * Ends the baseline.
   *
   * @param binsOfBlock the number of bins in a block
   */
  void settle(double binsOfBlock) {
    int[] sorted = ofBlock.clone();
    Arrays.sort(sorted);
    usual = sorted[Habit.BLOCKS / 2 - 1] / binsOfBlock;
    double[] reaches = new double[Habit.BLOCKS];
    for (int block = 0; block < Habit.BLOCKS; block++) {
      reaches[block] = Math.max(0, z(mostOfBin[block]));
    }
    scale = Math.max(1, Habit.scaleOfReach(reaches, (int) (Habit.BLOCKS * binsOfBlock)));
  }

  /** Adds an event of the window. Returns z of the events of its bin so far. */
  double add(long ofBin) {
    count(ofBin);
    return z(count);
  }

  private void count(long ofBin) {
    count = ofBin == bin ? count + 1 : 1;
    bin = ofBin;
  }

  /** Returns z of a number of events in a bin. */
  double z(int events) {
    return 2 * (Math.sqrt(events + 0.375) - Math.sqrt(usual + 0.375)) / scale;
  }

  /** Returns the bin of the last event. */
  long bin() {
    return bin;
  }

  /** Returns the number of events in the bin of the last event. */
  int count() {
    return count;
  }

  /** Returns the usual number of events in a bin. */
  double usual() {
    return usual;
  }
}
