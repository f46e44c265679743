package org.kblake.query.internal.coverage;

import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * What the coverage report needs to know of a segment, from wherever it was read.
 *
 * @param startOffset its milestone, bytes from the start of the log
 * @param endOffset the next segment, or the end of the log
 * @param milestoneNanos its milestone's time
 * @param spanFromNanos events before it are strays; the disorder bound is taken off
 * @param spanToNanos events behind it are strays; the disorder bound is added
 * @param firstNanos earliest time of an event that is no stray; {@link Long#MAX_VALUE} if none
 * @param lastNanos latest time of an event that is no stray; {@link Long#MIN_VALUE} if none
 * @param strays events outside of its span
 * @param damagedBytes bytes that no event could be read from
 * @param damage what is damaged or cut, for people; empty if it is sound
 * @param last whether no milestone follows: the pair ends with it, or has got no further yet
 * @param growing whether more will come behind it
 * @param unwritten whether the log continues behind its last event with bytes that are not written
 *     yet, up to its end or the next milestone
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

  /** The times that its events may have, strays aside. */
  TimeRange span() {
    return span(spanFromNanos, spanToNanos);
  }

  /** Both ends of a segment's span are times that its events may have. */
  public static TimeRange span(long spanFromNanos, long spanToNanos) {
    return new TimeRange(spanFromNanos, Math.max(spanFromNanos, EpochNanos.plus(spanToNanos, 1)));
  }

  /** The time of its last write: up to then it is known what happened, gaps aside. */
  long knownToNanos(long disorderBoundNanos) {
    long events = Math.max(milestoneNanos, lastNanos);
    return last || unwritten
        ? events
        : Math.max(events, EpochNanos.minus(spanToNanos, disorderBoundNanos));
  }
}
