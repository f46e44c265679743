package org.kblake.record.log;

/**
 * Decides when a milestone is needed, also if the clock is set: an event is received at most {@code
 * back} before the latest time of its segment, and less than {@code interval} after its milestone.
 * All times are nanoseconds.
 */
final class SegmentClock {

  private final long intervalNanos;
  private final long backNanos;
  private long milestoneNanos = Long.MIN_VALUE;
  private long latestNanos;
  private long monotonicNanos;

  SegmentClock(long intervalNanos, long backNanos) {
    this.intervalNanos = intervalNanos;
    this.backNanos = backNanos;
  }

  /** Notes a milestone. */
  void milestone(long nanos, long nowMonotonicNanos) {
    milestoneNanos = nanos;
    latestNanos = nanos;
    monotonicNanos = nowMonotonicNanos;
  }

  /** Notes the reception of an event that follows the milestone. */
  void received(long nanos) {
    latestNanos = Math.max(latestNanos, nanos);
  }

  /** Returns the latest time since the milestone. */
  long latestNanos() {
    return latestNanos;
  }

  /** Returns whether the clock was set back so far that the segment must end. */
  boolean isBack(long nanos) {
    return nanos < latestNanos - backNanos;
  }

  /** Returns whether an event received at this time needs a milestone before it. */
  boolean isDue(long nanos) {
    return isBack(nanos) || nanos >= milestoneNanos + intervalNanos;
  }

  /** Returns whether an interval has passed without a milestone, whatever the wall clock says. */
  boolean isIntervalOver(long nowMonotonicNanos) {
    return untilIntervalNanos(nowMonotonicNanos) <= 0;
  }

  /** Returns the time until this is so. */
  long untilIntervalNanos(long nowMonotonicNanos) {
    return intervalNanos - (nowMonotonicNanos - monotonicNanos);
  }
}
