package org.kblake.query.internal.moved;

import java.util.Arrays;

/**
 * A sample of numbers: all of them up to a limit, then every second one, every fourth one, and so
 * on. It depends on the numbers and their order only.
 */
final class Sample {

  private static final int FIRST = 8;

  /** The standard deviation of normal numbers whose median distance from the centre is 1. */
  private static final double NORMAL = 1.4826;

  /** Distances beyond so many standard deviations do not count. */
  private static final double TRIMMED_FROM = 3.5;

  private final int limit;
  private double[] kept = new double[FIRST];
  private int size;
  private int count;
  private int stride = 1;

  /**
   * @param limit the most numbers that are kept, a power of two of at least 8
   */
  Sample(int limit) {
    this.limit = limit;
  }

  void add(double number) {
    if (count++ % stride != 0) {
      return;
    }
    if (size == limit) {
      halve();
      // The next multiple of the old stride is one of the new stride, because the limit is even.
    } else if (size == kept.length) {
      kept = Arrays.copyOf(kept, 2 * size);
    }
    kept[size++] = number;
  }

  private void halve() {
    size /= 2;
    for (int i = 0; i < size; i++) {
      kept[i] = kept[2 * i];
    }
    stride *= 2;
  }

  /** Returns how many numbers were added. */
  int count() {
    return count;
  }

  /**
   * Returns the number that a share of the sample does not exceed. Changes the order of the sample.
   *
   * @param share from 0 to 1; a half is the median, the lower one of an even sample
   * @throws IllegalStateException if nothing was added
   */
  double quantile(double share) {
    if (size == 0) {
      throw new IllegalStateException("the sample is empty");
    }
    return select((int) Math.ceil(share * size) - 1);
  }

  /**
   * Returns the standard deviation of normal numbers that have the same distances from a centre. It
   * is the root of the mean square of the distances that are at most 3.5 times 1.4826 times their
   * median. Squares neither overflow nor vanish. Nothing may be added or asked afterwards.
   *
   * @param centre the centre, times the factor
   * @param factor a power of two by which the numbers are multiplied
   */
  double deviation(double centre, double factor) {
    for (int i = 0; i < size; i++) {
      kept[i] = Math.abs(kept[i] * factor - centre);
    }
    double limit = TRIMMED_FROM * NORMAL * quantile(0.5);
    double largest = 0;
    for (int i = 0; i < size; i++) {
      largest = kept[i] <= limit ? Math.max(largest, kept[i]) : largest;
    }
    double unit = Double.isInfinite(largest) ? 1 : Math.scalb(1.0, Math.getExponent(largest));
    double squares = 0;
    int within = 0;
    for (int i = 0; i < size; i++) {
      if (kept[i] <= limit) {
        double distance = kept[i] / unit;
        squares += distance * distance;
        within++;
      }
    }
    return unit * Math.sqrt(squares / within);
  }

  /** Returns the number of a rank, after Hoare's selection. */
  private double select(int rank) {
    int from = 0;
    int to = size - 1;
    int wanted = Math.max(0, rank);
    while (from < to) {
      double pivot = kept[(from + to) >>> 1];
      int low = from;
      int high = to;
      while (low <= high) {
        while (kept[low] < pivot) {
          low++;
        }
        while (kept[high] > pivot) {
          high--;
        }
        if (low <= high) {
          double swap = kept[low];
          kept[low++] = kept[high];
          kept[high--] = swap;
        }
      }
      if (wanted <= high) {
        to = high;
      } else if (wanted >= low) {
        from = low;
      } else {
        return kept[wanted];
      }
    }
    return kept[wanted];
  }
}
