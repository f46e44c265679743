package org.kblake.record.measure;

import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts values of records that count up by one. A jump is a loss. One between the first and the
 * second value of a channel may be that of the IOC, which reads the first one before it subscribes.
 * It may be told of values by many threads, each channel by one at a time.
 */
final class CountingRun {

  private static final int SLOT_NANOS = 50_000;
  private static final int SLOTS = 400_000;

  private final double[] last;
  private final boolean[] isFirst;
  private final long begunNanos = System.nanoTime();
  private final AtomicInteger seen = new AtomicInteger();
  private final AtomicLong values = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong lostAfterFirst = new AtomicLong();
  private final AtomicLong backward = new AtomicLong();
  private final AtomicIntegerArray delays = new AtomicIntegerArray(SLOTS);
  private volatile boolean isSettled;
  private volatile long allSeenNanos;
  private long settledValues;
  private double settledCpu;

  CountingRun(int channels) {
    last = new double[channels];
    Arrays.fill(last, Double.NaN);
    isFirst = new boolean[channels];
  }

  /**
   * Takes a value.
   *
   * @param stampNanos the IOC's time stamp in nanoseconds since 1970 UTC
   */
  void value(int channel, double value, long stampNanos) {
    if (isSettled) {
      Instant now = Instant.now();
      long delay = now.getEpochSecond() * 1_000_000_000 + now.getNano() - stampNanos;
      delays.incrementAndGet((int) Math.max(0, Math.min(SLOTS - 1, delay / SLOT_NANOS)));
    }
    double before = last[channel];
    last[channel] = value;
    boolean wasFirst = isFirst[channel];
    isFirst[channel] = Double.isNaN(before);
    values.incrementAndGet();
    if (Double.isNaN(before)) {
      if (seen.incrementAndGet() == last.length) {
        allSeenNanos = System.nanoTime();
      }
    } else if (value > before + 1) {
      (wasFirst ? lostAfterFirst : lost).addAndGet((long) (value - before - 1));
    } else if (value < before) {
      backward.incrementAndGet();
    }
  }

  boolean isAllSeen() {
    return seen.get() == last.length;
  }

  /** Notes the time from which on the processor time of an event counts: all is compiled. */
  void settle() {
    isSettled = true;
    settledValues = values.get();
    settledCpu = cpuSeconds();
  }

  /**
   * Prints one line of results.
   *
   * @param client the client's name
   * @param connectedNanos when all channels were connected, or 0
   * @param more what the client says itself
   */
  void print(String client, long connectedNanos, String more) {
    double cpu = cpuSeconds();
    System.out.printf(
        "%s: channels=%d seen=%d connected=%.2fs first_values=%.2fs values=%d lost=%d lost_after_first=%d backward=%d"
            + " seconds=%.1f cpu=%.2fs us_per_event=%.2f delay_p99=%.1fms%s%n",
        client,
        last.length,
        seen.get(),
        seconds(connectedNanos),
        seconds(allSeenNanos),
        values.get(),
        lost.get(),
        lostAfterFirst.get(),
        backward.get(),
        seconds(System.nanoTime()),
        cpu,
        (cpu - settledCpu) * 1e6 / (values.get() - settledValues),
        delayMillis(),
        more);
  }

  /** Returns the delay that one in a hundred values exceeds. */
  private double delayMillis() {
    long left = (values.get() - settledValues) / 100;
    int slot = SLOTS - 1;
    left -= delays.get(slot);
    while (slot > 0 && left >= 0) {
      slot--;
      left -= delays.get(slot);
    }
    return (slot + 1) * (SLOT_NANOS / 1e6);
  }

  private double seconds(long nanos) {
    return nanos == 0 ? Double.NaN : (nanos - begunNanos) / 1e9;
  }

  static double cpuSeconds() {
    return ((com.sun.management.OperatingSystemMXBean)
                java.lang.management.ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }
}
