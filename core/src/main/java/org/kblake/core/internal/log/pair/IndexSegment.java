package org.kblake.core.internal.log.pair;

/**
 * A span of a log between two milestones of the index, or from the last one to the end. It has
 * several segments if milestones between them are missing in the index.
 *
 * @param fromOffset the offset of its milestone
 * @param toOffset the offset of the next milestone, or the size of the log
 * @param earliestNanos no event except strays is earlier, unless a clock was set back around a
 *     milestone that is missing in the index
 */
public record IndexSegment(long fromOffset, long toOffset, long earliestNanos) {}
