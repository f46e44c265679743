package org.kblake.record.importing.appliance;

import java.nio.file.Path;

/**
 * A file of a channel.
 *
 * @param header its first line
 * @param firstNanos the time of its first event, nanoseconds since 1970 UTC
 * @param lastNanos the time of its last event; a later one if this is not known
 */
record PbFile(Path path, PbHeader header, long bytes, long firstNanos, long lastNanos) {}
