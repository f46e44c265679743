package org.kblake.record.importing.appliance;

import java.nio.file.Path;

/**
 * A file of a channel. There may be millions of them, so they share what they have in common.
 *
 * @param origin its directory and its header; files of one channel and year share it
 * @param name its name in the directory
 * @param firstNanos the time of its first event, nanoseconds since 1970 UTC
 * @param lastNanos the time of its last event; a later one if this is not known
 */
record PbFile(Origin origin, String name, long bytes, long firstNanos, long lastNanos) {

  /**
   * What files share.
   *
   * @param header the first line, with the most elements of a value that were seen
   */
  record Origin(Path directory, PbHeader header) {}

  Path path() {
    return origin.directory().resolve(name);
  }

  PbHeader header() {
    return origin.header();
  }
}
