package org.kblake.core.log;

/**
 * The stretch of a log between two milestones that the index knows, or from the last of them to the
 * end. It may hold several segments, where the index misses milestones.
 *
 * @param fromOffset where it begins
 * @param toOffset where the next one begins, or the size of the log
 */
public record IndexSegment(long fromOffset, long toOffset) {}
