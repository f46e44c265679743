package org.kblake.ingest.internal.backfill;

import java.util.List;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * What to transcode and at what cost.
 *
 * @param groups which groups; empty for all of the archive
 * @param range whole segments that meet it
 * @param threads how many cores to use, at least 1
 * @param memoryBytes for rows on their way, direct memory
 * @param ioLimitBytesPerSecond of archive reads; 0 for no limit
 * @param profile how columns are written
 */
public record BackfillSettings(
    List<Group> groups,
    TimeRange range,
    int threads,
    long memoryBytes,
    long ioLimitBytesPerSecond,
    WriteProfile profile) {

  /** Less memory than this does not hold a useful block. */
  public static final long LEAST_MEMORY_BYTES = 16L << 20;

  public BackfillSettings {
    groups = List.copyOf(groups);
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1: threads=" + threads);
    }
    if (memoryBytes < LEAST_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          "memory is too small: memory=" + memoryBytes + ", least=" + LEAST_MEMORY_BYTES);
    }
    if (ioLimitBytesPerSecond < 0) {
      throw new IllegalArgumentException("I/O limit is negative: ioLimit=" + ioLimitBytesPerSecond);
    }
  }
}
