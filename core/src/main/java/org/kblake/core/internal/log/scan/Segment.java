package org.kblake.core.internal.log.scan;

import java.util.List;
import org.kblake.core.internal.log.pair.Damage;

/**
 * The stretch of a log from one milestone to the next, after its headers have been walked.
 *
 * <pre>
 *   startOffset    eventsOffset                servedEndOffset      endOffset
 *   | milestone    | events that are served    | what is not        | next milestone, or end
 * </pre>
 *
 * @param startOffset where its milestone begins
 * @param eventsOffset where its first event begins
 * @param servedEndOffset where damage, a cut event or what is not written yet begins; endOffset if
 *     there is nothing of the kind
 * @param endOffset where the next segment begins, or the end of the scan
 * @param milestoneNanos the milestone's time, nanoseconds since 1970 UTC
 * @param spanFromNanos events before this time are strays; the disorder bound is allowed for
 * @param spanToNanos events after this time are strays; {@link Long#MAX_VALUE} in the last segment
 *     of a growing pair
 * @param whole whether nothing will be added: it ends at a milestone, or the pair is closed
 * @param events the events of records that are served, strays included
 * @param strays how many of them are strays
 * @param firstNanos the earliest time of its events, strays aside; {@link Long#MAX_VALUE} if none
 * @param lastNanos the latest time of its events, strays aside; {@link Long#MIN_VALUE} if none
 * @param end what ends it
 * @param damage what is not served of it, or served in spite of a contradiction; where there is
 *     very much, the last one stands for many
 */
public record Segment(
    long startOffset,
    long eventsOffset,
    long servedEndOffset,
    long endOffset,
    long milestoneNanos,
    long spanFromNanos,
    long spanToNanos,
    boolean whole,
    int events,
    int strays,
    long firstNanos,
    long lastNanos,
    End end,
    List<Damage> damage) {

  /** What comes behind the events that are served. */
  public enum End {
    /** The next milestone. */
    MILESTONE,
    /** The end of a closed pair. */
    END_OF_PAIR,
    /** What a crash of kblog leaves at the end of a closed pair: an event cut short, or zeros. */
    CUT,
    /** Damage, up to the next milestone or the end. */
    DAMAGED,
    /**
     * What is not written yet in a growing pair, up to the end; or, where the log shows a milestone
     * behind it, up to the next one that the index knows.
     */
    UNWRITTEN
  }

  /** Whether an event at this time is a stray. */
  public boolean isStray(long nanos) {
    return nanos < spanFromNanos || nanos > spanToNanos;
  }
}
