package org.kblake.record.ledger;

import org.kblake.core.model.Group;
import org.kblake.record.group.LossReason;

/**
 * A span in which events of a group may be missing.
 *
 * @param fromNanos the begin in nanoseconds since 1970 UTC
 * @param toNanos the end, likewise
 * @param events the number of lost events, or {@link #UNKNOWN}
 */
record Statement(Group group, LossReason reason, long fromNanos, long toNanos, long events) {

  static final long UNKNOWN = -1;

  private static final long SECOND_NANOS = 1_000_000_000;

  /** What statements that can become one have in common. */
  record Kind(Group group, LossReason reason, boolean isCounted) {}

  /** Orders the times, which may be of a clock that was set back. */
  Statement {
    long from = Math.min(fromNanos, toNanos);
    toNanos = Math.max(fromNanos, toNanos);
    fromNanos = from;
  }

  Kind kind() {
    return new Kind(group, reason, events != UNKNOWN);
  }

  /** Returns a statement that begins earlier and ends later. */
  Statement widened(long nanos) {
    return new Statement(group, reason, fromNanos - nanos, toNanos + nanos, events);
  }

  /** Returns this statement and another one of its kind as one. */
  Statement and(Statement other) {
    return new Statement(
        group,
        reason,
        Math.min(fromNanos, other.fromNanos),
        Math.max(toNanos, other.toNanos),
        events == UNKNOWN ? UNKNOWN : events + other.events);
  }

  /** Returns the elements of an event of the ledger. */
  double[] elements() {
    return new double[] {
      Math.floorDiv(fromNanos, SECOND_NANOS),
      Math.floorMod(fromNanos, SECOND_NANOS),
      Math.floorDiv(toNanos, SECOND_NANOS),
      Math.floorMod(toNanos, SECOND_NANOS),
      events,
      reason.code()
    };
  }
}
