package org.kblake.query.answer;

import java.util.OptionalLong;

/**
 * The time in which a group recorded a channel. There may be gaps in it.
 *
 * @param fromNanos the begin of the first pair that has the channel, nanoseconds since 1970 UTC;
 *     empty if an earlier pair may have it, because it cannot be read, or if none of the group's
 *     first pairs has it
 * @param toNanos the latest time of any event except strays in the last pair that has the channel
 *     and events; empty if a later pair may have it, because it cannot be read, or if none of the
 *     group's last pairs has it
 */
public record RecordedTime(OptionalLong fromNanos, OptionalLong toNanos) {}
