package org.kblake.ingest.internal.compact;

import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.ingest.internal.backfill.BackfillSettings;

/**
 * The settings of merging blocks.
 *
 * @param threads number of cores to use, at least 1
 * @param memoryBytes direct memory for rows
 * @param profile the profile of columns
 * @param aged the profile of columns of old events; null if it does not differ
 * @param pace the pace of all reads and writes
 */
public record CompactionSettings(
    int threads, long memoryBytes, WriteProfile profile, @Nullable AgedProfile aged, Pace pace) {

  /** Creates settings without a profile for old events. */
  public CompactionSettings(int threads, long memoryBytes, WriteProfile profile, Pace pace) {
    this(threads, memoryBytes, profile, null, pace);
  }

  public CompactionSettings {
    BackfillSettings.check(threads, memoryBytes, 0);
  }
}
