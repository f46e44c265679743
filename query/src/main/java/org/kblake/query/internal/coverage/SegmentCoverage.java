package org.kblake.query.internal.coverage;

import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * The properties of a segment that the coverage report needs, from a block or a log.
 *
 * @param startOffset the offset of its milestone, bytes from the start of the log
 * @param endOffset the offset of the next segment, or the end of the log
 * @param milestoneNanos the time of its milestone
 * @param spanFromNanos events before it are strays; the disorder bound is subtracted
 * @param spanToNanos events after it are strays; the disorder bound is added
 * @param firstNanos earliest time of an event that is no stray; {@link Long#MAX_VALUE} if there is
 *     none
 * @param lastNanos latest time of an event that is no stray; {@link Long#MIN_VALUE} if there is
 *     none
 * @param strays number of events outside of its span
 * @param damagedBytes bytes from which no event could be read
 * @param damage description of the damage or the cut, for messages; empty if there is none
 * @param last whether no milestone follows: the pair ends with this segment, or ends here so far
 * @param growing whether more events will follow it
 * @param unwritten whether bytes that are not written yet follow its last event, up to its end or
 *     the next milestone
 */
public record SegmentCoverage(
    long startOffset,
    long endOffset,
    long milestoneNanos,
    long spanFromNanos,
    long spanToNanos,
    long firstNanos,
    long lastNanos,
    long strays,
    long damagedBytes,
    String damage,
    boolean last,
    boolean growing,
    boolean unwritten) {

  long bytes() {
    return endOffset - startOffset;
  }

  /** Returns the times that its events may have, except strays. */
  TimeRange span() {
    return span(spanFromNanos, spanToNanos);
  }

  /**
   * Returns a segment's span as a range. Both ends of the span are times that its events may have.
   */
  public static TimeRange span(long spanFromNanos, long spanToNanos) {
    return new TimeRange(spanFromNanos, Math.max(spanFromNanos, EpochNanos.plus(spanToNanos, 1)));
  }

  /** Returns the time of its last write. Up to this time the log is complete, except for gaps. */
  long knownToNanos(long disorderBoundNanos) {
    long events = Math.max(milestoneNanos, lastNanos);
    return last || unwritten
        ? events
        : Math.max(events, EpochNanos.minus(spanToNanos, disorderBoundNanos));
  }
}
