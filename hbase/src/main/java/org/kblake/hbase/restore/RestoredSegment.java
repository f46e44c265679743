package org.kblake.hbase.restore;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The times of a segment's events, and of the milestones that make the same of them strays. An
 * event is a stray if its time is before the first milestone or after the second by more than the
 * disorder bound.
 *
 * <pre>
 *   stray    bound          other events           bound    stray
 *     |   |---------[ first .............. second ]---------|   |
 * </pre>
 */
final class RestoredSegment {

  private final long offset;
  private final long boundNanos;
  private long firstNanos = Long.MAX_VALUE;
  private long lastNanos = Long.MIN_VALUE;

  /** Ranges of strays that are so close that no span is between them: last by first. */
  private final TreeMap<Long, Long> strays = new TreeMap<>();

  /**
   * @param offset the begin of the segment in the log that was exported
   * @param boundNanos the disorder bound
   */
  RestoredSegment(long offset, long boundNanos) {
    this.offset = offset;
    this.boundNanos = boundNanos;
  }

  long offset() {
    return offset;
  }

  /** Returns the latest time of an event that is no stray; the least long if there is none. */
  long lastNanos() {
    return lastNanos;
  }

  void add(long nanos, boolean stray) {
    if (!stray) {
      firstNanos = Math.min(firstNanos, nanos);
      lastNanos = Math.max(lastNanos, nanos);
      return;
    }
    long first = nanos;
    long last = nanos;
    Map.Entry<Long, Long> before = strays.floorEntry(nanos);
    if (before != null && nanos - before.getValue() <= 2 * boundNanos) {
      first = before.getKey();
      last = Math.max(nanos, before.getValue());
    }
    Map.Entry<Long, Long> after = strays.higherEntry(nanos);
    if (after != null && after.getKey() - last <= 2 * boundNanos) {
      last = after.getValue();
      strays.remove(after.getKey());
    }
    strays.put(first, last);
  }

  /** The times that a milestone may have: from the first to the last, both included. */
  record Choice(long fromNanos, long toNanos) {

    /** Returns the times that both allow; null if there are none. */
    @Nullable Choice and(Choice other) {
      long from = Math.max(fromNanos, other.fromNanos);
      long to = Math.min(toNanos, other.toNanos);
      return from > to ? null : new Choice(from, to);
    }

    /** Returns the allowed time that is nearest to another. */
    long nearest(long nanos) {
      return Math.min(Math.max(nanos, fromNanos), toNanos);
    }
  }

  /** Returns the time of an event that is no stray, or a time that is far from strays. */
  private long begin() {
    if (firstNanos != Long.MAX_VALUE) {
      return firstNanos;
    }
    long afterAll = strays.lastEntry().getValue() + boundNanos + 1;
    return afterAll < RestoredMilestones.LAST_NANOS ? afterAll : strays.firstKey() - boundNanos - 1;
  }

  private long end() {
    return firstNanos == Long.MAX_VALUE ? begin() : lastNanos;
  }

  private long least() {
    Map.Entry<Long, Long> before = strays.lowerEntry(begin());
    return before == null
        ? RestoredMilestones.FIRST_NANOS
        : Math.max(RestoredMilestones.FIRST_NANOS, before.getValue() + boundNanos + 1);
  }

  private long most() {
    Long after = strays.higherKey(end());
    return after == null
        ? RestoredMilestones.LAST_NANOS
        : Math.min(RestoredMilestones.LAST_NANOS, after - boundNanos - 1);
  }

  /**
   * Returns the times that the first milestone may have.
   *
   * @return null if there are none, because the events were exported with another bound
   */
  @Nullable Choice first() {
    return new Choice(least(), most())
        .and(new Choice(RestoredMilestones.FIRST_NANOS, begin() + boundNanos));
  }

  /** Returns the times that the second milestone may have behind the first; null for none. */
  @Nullable Choice second(long firstMilestone) {
    return new Choice(Math.max(firstMilestone, end() - boundNanos), most())
        .and(new Choice(RestoredMilestones.FIRST_NANOS, RestoredMilestones.LAST_NANOS));
  }

  /** Returns the time that the first milestone had about. */
  long usualFirst() {
    return begin();
  }

  /** Returns the time that the second milestone had about. */
  long usualSecond() {
    return end();
  }
}
