package org.kblake.query.internal.source;

/**
 * The limits of reading raw logs ahead.
 *
 * @param threads the number of threads that read ahead; below 2, none does
 * @param leastBytes the least bytes of log of a group's answer for which logs are read ahead
 * @param rangeBytes the least bytes of log of a range that a thread reads, which ends at a
 *     milestone
 * @param memoryBytes the most bytes of memory for the rows of all answers together; the last rows
 *     of a range may exceed it
 */
public record ReadAheadLimits(int threads, long leastBytes, long rangeBytes, long memoryBytes) {

  /** One thread reads less in the time in which several threads start. */
  private static final long MIN_BYTES = 64L << 20;

  private static final long RANGE_BYTES = 8L << 20;

  private static final long MEMORY_BYTES_PER_THREAD = 16L << 20;

  private static final int SHARE_OF_HEAP = 8;

  /** One thread takes the rows of an answer. A few threads read as fast as it does. */
  private static final int MAX_THREADS = 8;

  /** Returns the usual limits for the processors of this machine. */
  public static ReadAheadLimits usual() {
    return of(Math.min(Runtime.getRuntime().availableProcessors(), MAX_THREADS));
  }

  /** Returns the usual limits for a number of threads. */
  public static ReadAheadLimits of(int threads) {
    return new ReadAheadLimits(
        threads,
        MIN_BYTES,
        RANGE_BYTES,
        Math.min(
            threads * MEMORY_BYTES_PER_THREAD, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
  }
}
