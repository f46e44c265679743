package org.kblake.ingest.internal.compact;

import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.ingest.internal.backfill.BackfillSettings;

/**
 * At what cost blocks are merged.
 *
 * @param threads how many cores to use, at least 1
 * @param memoryBytes for rows on their way, direct memory
 * @param profile how columns are written
 * @param aged how those of old events are, if not like all others
 * @param pace of all reads and writes
 */
public record CompactionSettings(
    int threads, long memoryBytes, WriteProfile profile, @Nullable AgedProfile aged, Pace pace) {

  /** The same for events of whatever age. */
  public CompactionSettings(int threads, long memoryBytes, WriteProfile profile, Pace pace) {
    this(threads, memoryBytes, profile, null, pace);
  }

  public CompactionSettings {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1: threads=" + threads);
    }
    if (memoryBytes < BackfillSettings.LEAST_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          "memory is too small: memory="
              + memoryBytes
              + ", least="
              + BackfillSettings.LEAST_MEMORY_BYTES);
    }
  }
}
