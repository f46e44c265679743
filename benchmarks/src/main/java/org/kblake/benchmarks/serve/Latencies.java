package org.kblake.benchmarks.serve;

import java.util.Arrays;

/** The latencies of requests of one kind, in nanoseconds. Thread safe. */
final class Latencies {

  private static final double MILLI = 1e6;
  private static final int INITIAL = 1024;

  private long[] nanos = new long[INITIAL];
  private int count;

  /** Adds a latency. */
  synchronized void add(long latency) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = latency;
  }

  /**
   * Returns a percentile in milliseconds.
   *
   * @param percent 0 to 100
   * @throws IllegalStateException if there are no latencies
   */
  synchronized double percentile(int percent) {
    if (count == 0) {
      throw new IllegalStateException("no requests were measured");
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(count * (percent / 100.0));
    return sorted[Math.max(0, rank - 1)] / MILLI;
  }
}
