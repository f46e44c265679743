package org.kblake.simulate.machine;

/**
 * How long a channel stays silent: a table of 64 whole multiples of its scan period, one of which a
 * random number picks, each as likely as the others.
 *
 * <p>A record is processed at its scan rate and posts a monitor when its value has left the
 * dead-band, so intervals are whole scans, and how many depends on how restless the value is.
 *
 * @param scanNanos the scan period
 * @param scans 64 numbers of scans, ascending
 */
public record Intervals(long scanNanos, int[] scans) {

  /** A power of two, so that six bits pick an entry. */
  public static final int COUNT = 64;

  /**
   * @param first the number of scans that the first weight belongs to; the others follow one by one
   * @param weights how many of 64 intervals are so many scans; they sum to 64
   */
  public static Intervals weighted(double scanSeconds, int first, int... weights) {
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
    return new Intervals(nanos(scanSeconds), scans);
  }

  /** Every scan posts. */
  public static Intervals polled(double scanSeconds) {
    return weighted(scanSeconds, 1, COUNT);
  }

  /** Memoryless: a value that wanders slowly leaves its dead-band at any time. */
  public static Intervals memoryless(double scanSeconds, double meanSeconds) {
    int[] scans = new int[COUNT];
    for (int i = 0; i < COUNT; i++) {
      double waiting = -StrictMath.log(1 - (i + 0.5) / COUNT) * meanSeconds;
      scans[i] = Math.max(1, (int) (waiting / scanSeconds + 0.5));
    }
    return new Intervals(nanos(scanSeconds), scans);
  }

  private static long nanos(double seconds) {
    return (long) (seconds * Machine.SECOND_NANOS);
  }

  /** The 64 intervals in nanoseconds. */
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
