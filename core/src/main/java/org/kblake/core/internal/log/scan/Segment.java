package org.kblake.core.internal.log.scan;

import java.util.List;
import org.kblake.core.internal.log.pair.Damage;

/**
 * A segment: the span of a log from one milestone to the next, after its headers were walked over.
 *
 * <pre>
 *   startOffset    eventsOffset                servedEndOffset      endOffset
 *   | milestone    | events that are served    | not served         | next milestone, or end
 * </pre>
 *
 * @param startOffset the offset of its milestone
 * @param eventsOffset the offset of its first event
 * @param servedEndOffset the offset from which on the segment is damaged, cut or not written yet;
 *     endOffset if it is served as a whole
 * @param endOffset the offset of the next segment, or the end of the scan
 * @param milestoneNanos the milestone's time, nanoseconds since 1970 UTC
 * @param spanFromNanos the begin of the span, widened by the disorder bound; earlier events are
 *     strays
 * @param spanToNanos the end of the span, widened by the disorder bound; later events are strays;
 *     {@link Long#MAX_VALUE} in the last segment of a growing pair
 * @param whole whether nothing will be added: it ends at a milestone, or the pair is closed
 * @param events the number of events that are served, strays included
 * @param strays the number of strays among them
 * @param firstNanos the earliest time of its events without strays; {@link Long#MAX_VALUE} if there
 *     are none
 * @param lastNanos the latest time of its events without strays; {@link Long#MIN_VALUE} if there
 *     are none
 * @param end the kind of its end
 * @param damage the spans that are not served, or are served in spite of a contradiction; if there
 *     are very many, the last element covers several spans
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

  /** The kind of bytes behind the events that are served. */
  public enum End {
    /** The next milestone. */
    MILESTONE,
    /** The end of a closed pair. */
    END_OF_PAIR,
    /** An incomplete event or zeros at the end of a closed pair, left by a crash of kblog. */
    CUT,
    /** Damage, up to the next milestone or the end. */
    DAMAGED,
    /**
     * Bytes of a growing pair that are not written yet, up to the end. If the log has a milestone
     * behind them, up to the next milestone of the index.
     */
    UNWRITTEN
  }

  /** Returns whether an event with this time is a stray. */
  public boolean isStray(long nanos) {
    return nanos < spanFromNanos || nanos > spanToNanos;
  }
}
