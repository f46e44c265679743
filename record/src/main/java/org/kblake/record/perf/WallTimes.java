package org.kblake.record.perf;

import java.time.Clock;
import java.time.Instant;

/**
 * Wall times of the clock CLOCK_MONOTONIC, which is {@link System#nanoTime} on Linux. Both run at
 * the same rate, so only a set clock changes the difference. One thread uses it.
 */
final class WallTimes {

  private static final int TRIES = 3;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** A smaller difference is that of two looks. */
  private static final long LEAST_STEP_NANOS = 1_000_000;

  private final Clock clock;
  private long offset;

  WallTimes(Clock clock) {
    this.clock = clock;
    offset = measured();
  }

  /** Looks whether the clock was set. */
  void look() {
    long now = measured();
    if (Math.abs(now - offset) > LEAST_STEP_NANOS) {
      offset = now;
    }
  }

  /** Returns a time in nanoseconds since 1970 UTC. */
  long of(long monotonicNanos) {
    return monotonicNanos + offset;
  }

  private long measured() {
    long best = Long.MAX_VALUE;
    long difference = 0;
    for (int i = 0; i < TRIES; i++) {
      long before = System.nanoTime();
      Instant now = clock.instant();
      long duration = System.nanoTime() - before;
      if (duration < best) {
        best = duration;
        difference =
            now.getEpochSecond() * NANOS_PER_SECOND + now.getNano() - (before + duration / 2);
      }
    }
    return difference;
  }
}
