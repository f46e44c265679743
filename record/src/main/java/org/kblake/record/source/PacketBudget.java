package org.kblake.record.source;

/**
 * A budget of packets per second, of several threads. What is not used within a fiftieth of a
 * second expires, so a pause is followed by no burst.
 */
public final class PacketBudget {

  /** The time that a sender without budget waits in nanoseconds. */
  public static final long WAIT_NANOS = 5_000_000;

  private static final double BURST_SECONDS = 0.02;
  private static final double NANOS_PER_SECOND = 1e9;

  private final double perSecond;
  private final double most;
  private double packets;
  private long lastNanos;

  /**
   * Creates a budget.
   *
   * @param packetsPerSecond how many packets it has in a second
   * @param nowNanos the time, as that of {@link System#nanoTime}
   */
  public PacketBudget(int packetsPerSecond, long nowNanos) {
    perSecond = packetsPerSecond;
    most = Math.max(1, packetsPerSecond * BURST_SECONDS);
    packets = most;
    lastNanos = nowNanos;
  }

  /** Returns whether a packet may be sent now. */
  public synchronized boolean isOpen(long nowNanos) {
    packets = Math.min(most, packets + (nowNanos - lastNanos) / NANOS_PER_SECOND * perSecond);
    lastNanos = nowNanos;
    return packets >= 1;
  }

  /** Takes packets, perhaps more than there are: then those of later times are taken. */
  public synchronized void take(int number) {
    packets -= number;
  }
}
