package org.kblake.record.group;

import org.kblake.record.log.RecordClock;

/** Clocks that a test moves, and whose wall clock it sets. */
final class SetClock implements RecordClock {

  /** 2026-03-01T00:00:00 UTC. */
  static final long BEGIN_NANOS = 1_772_323_200_000_000_000L;

  static final long SECOND = 1_000_000_000;

  private volatile long wallNanos = BEGIN_NANOS;

  /** Begins where the JVM's clock may be: below zero. */
  private volatile long monotonicNanos = -7 * SECOND;

  @Override
  public long wallNanos() {
    return wallNanos;
  }

  @Override
  public long monotonicNanos() {
    return monotonicNanos;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only the test sets it
  void pass(long nanos) {
    wallNanos += nanos;
    monotonicNanos += nanos;
  }

  /** Sets the wall clock by a difference. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // only the test sets it
  void set(long nanos) {
    wallNanos += nanos;
  }
}
