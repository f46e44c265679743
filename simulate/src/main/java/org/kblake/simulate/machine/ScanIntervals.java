package org.kblake.simulate.machine;

/**
 * The distribution of the intervals between a channel's events: a table of 64 multiples of its scan
 * period. Random numbers choose each of them with the same probability.
 *
 * <p>A record is processed at its scan rate and posts a monitor when its value has left the
 * dead-band. So intervals are whole numbers of scans, and depend on how fast the value changes.
 *
 * @param scanNanos the scan period
 * @param scans 64 numbers of scans, ascending
 */
public record ScanIntervals(long scanNanos, int[] scans) {

  /** The number of intervals, a power of two, so that six bits select one. */
  public static final int COUNT = 64;

  /**
   * @param first the number of scans of the first weight; each further weight has one scan more
   * @param weights how many of the 64 intervals have each number of scans; their sum is 64
   */
  public static ScanIntervals weighted(double scanSeconds, int first, int... weights) {
    int[] scans = new int[COUNT];
    int filled = 0;
    for (int i = 0; i < weights.length; i++) {
      for (int j = 0; j < weights[i]; j++) {
        scans[filled++] = first + i;
      }
    }
    if (filled != COUNT) {
      throw new IllegalArgumentException("weights do not sum to 64: sum=" + filled);
    }
    return new ScanIntervals(nanos(scanSeconds), scans);
  }

  /** Returns intervals of one scan each. */
  public static ScanIntervals polled(double scanSeconds) {
    return weighted(scanSeconds, 1, COUNT);
  }

  /**
   * Returns intervals with an exponential distribution, as those of a value that drifts slowly out
   * of its dead-band.
   */
  public static ScanIntervals memoryless(double scanSeconds, double meanSeconds) {
    int[] scans = new int[COUNT];
    for (int i = 0; i < COUNT; i++) {
      double waiting = -StrictMath.log(1 - (i + 0.5) / COUNT) * meanSeconds;
      scans[i] = Math.max(1, (int) (waiting / scanSeconds + 0.5));
    }
    return new ScanIntervals(nanos(scanSeconds), scans);
  }

  private static long nanos(double seconds) {
    return (long) (seconds * Machine.SECOND_NANOS);
  }

  /** Returns the 64 intervals in nanoseconds. */
  public long[] nanos() {
    long[] nanos = new long[COUNT];
    for (int i = 0; i < COUNT; i++) {
      nanos[i] = scans[i] * scanNanos;
    }
    return nanos;
  }

  public double meanSeconds() {
    long sum = 0;
    for (int each : scans) {
      sum += each;
    }
    return (double) sum / COUNT * scanNanos / Machine.SECOND_NANOS;
  }
}
