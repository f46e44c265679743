package org.kblake.query.answer;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Up to when a group has data that can be read.
 *
 * @param nanos the latest time of any event, strays aside, nanoseconds since 1970 UTC; empty if no
 *     event can be read
 * @param unread why a log that may have later events could not be read; null if all were read
 */
public record LatestTime(OptionalLong nanos, @Nullable String unread) {}
