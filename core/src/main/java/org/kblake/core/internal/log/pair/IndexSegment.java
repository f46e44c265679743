package org.kblake.core.internal.log.pair;

/**
 * The stretch of a log between two milestones that the index knows, or from the last of them to the
 * end. It may hold several segments, where the index misses milestones.
 *
 * @param fromOffset where it begins
 * @param toOffset where the next one begins, or the size of the log
 * @param earliestNanos none of its events that are no strays is earlier, if no clock was set back
 *     around a milestone that the index misses
 */
public record IndexSegment(long fromOffset, long toOffset, long earliestNanos) {}
