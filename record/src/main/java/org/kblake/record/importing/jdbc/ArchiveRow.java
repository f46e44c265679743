package org.kblake.record.importing.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * A row.
 *
 * @param nanos the time, nanoseconds since 1970 UTC
 * @param value a number, text, truth value, or array of these; null if there is none
 * @param isDown whether the row says that the channel had no value
 */
record ArchiveRow(
    String channel, long nanos, @Nullable Object value, boolean isDown, int severity, int status) {}
