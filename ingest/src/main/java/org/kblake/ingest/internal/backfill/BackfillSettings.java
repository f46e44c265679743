package org.kblake.ingest.internal.backfill;

import java.util.List;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * The settings of a backfill.
 *
 * @param groups the groups; empty for all groups of the archive
 * @param range the range of time; whole segments that overlap it are transcoded
 * @param threads number of cores to use, at least 1
 * @param memoryBytes direct memory for rows
 * @param ioLimitBytesPerSecond limit of archive reads; 0 for no limit
 * @param profile the profile of columns
 */
public record BackfillSettings(
    List<Group> groups,
    TimeRange range,
    int threads,
    long memoryBytes,
    long ioLimitBytesPerSecond,
    WriteProfile profile) {

  /** The least memory, which holds the rows of a useful block. */
  public static final long MIN_MEMORY_BYTES = 16L << 20;

  public BackfillSettings {
    groups = List.copyOf(groups);
    check(threads, memoryBytes, ioLimitBytesPerSecond);
  }

  /** Checks the settings that all writers of columns have. */
  public static void check(int threads, long memoryBytes, long ioLimitBytesPerSecond) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1: threads=" + threads);
    }
    if (memoryBytes < MIN_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          "memory is too small: memory=" + memoryBytes + ", least=" + MIN_MEMORY_BYTES);
    }
    if (ioLimitBytesPerSecond < 0) {
      throw new IllegalArgumentException("I/O limit is negative: ioLimit=" + ioLimitBytesPerSecond);
    }
  }
}
