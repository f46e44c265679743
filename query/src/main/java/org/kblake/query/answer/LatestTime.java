package org.kblake.query.answer;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The time of a group's latest readable data.
 *
 * @param nanos the latest time of any event except strays, nanoseconds since 1970 UTC; empty if no
 *     event can be read
 * @param unread the reason why a log that may have later events could not be read; null if all were
 *     read
 */
public record LatestTime(OptionalLong nanos, @Nullable String unread) {}
