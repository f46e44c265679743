package org.kblake.core.store;

/**
 * A stretch of time in which a group's log says nothing: from one write (event or milestone) to the
 * next.
 *
 * @param fromNanos the last write before, nanoseconds since 1970 UTC
 * @param toNanos the first write after
 */
public record Gap(long fromNanos, long toNanos) {}
