package org.kblake.query.answer;

/**
 * The segment of a group's log that an event is in. Segments are ordered by stamp, then by offset.
 *
 * @param stamp the pair, by the {@code yyyymmddhhmmss} of its file names
 * @param offset the begin of the segment in the pair's log, in bytes
 */
public record LogSegment(String stamp, long offset) {}
