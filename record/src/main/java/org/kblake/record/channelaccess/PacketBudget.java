package org.kblake.record.channelaccess;

/**
 * A budget of packets per second. What is not used within a fiftieth of a second expires, so a
 * pause is followed by no burst.
 */
final class PacketBudget {

  /** The time that a sender without budget waits in nanoseconds. */
  static final long WAIT_NANOS = 5_000_000;

  private static final double BURST_SECONDS = 0.02;
  private static final double NANOS_PER_SECOND = 1e9;

  private final double perSecond;
  private final double most;
  private double packets;
  private long lastNanos;

  PacketBudget(int packetsPerSecond, long nowNanos) {
    perSecond = packetsPerSecond;
    most = Math.max(1, packetsPerSecond * BURST_SECONDS);
    packets = most;
    lastNanos = nowNanos;
  }

  /** Returns whether a packet may be sent now. */
  boolean isOpen(long nowNanos) {
    packets = Math.min(most, packets + (nowNanos - lastNanos) / NANOS_PER_SECOND * perSecond);
    lastNanos = nowNanos;
    return packets >= 1;
  }

  /** Takes packets, perhaps more than there are: then those of later times are taken. */
  void take(int number) {
    packets -= number;
  }
}
