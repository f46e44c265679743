package org.kblake.record.log;

import java.nio.ByteOrder;
import java.nio.file.Path;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.layout.ReferenceLayout;

/**
 * How logs are written.
 *
 * @param root the archive's root, which exists; only files below it are written
 * @param archive the zone of file names, and the disorder bound
 * @param timing the intervals
 * @param sync when bytes are synced
 * @param maxLogBytes the largest size of a log in bytes, at most that of the layout
 */
public record LogSettings(
    Path root, ArchiveSettings archive, LogTiming timing, SyncPolicy sync, long maxLogBytes) {

  /** The order of the bytes of Channel Access, so that values are copied whole. */
  public static final ByteOrder ORDER = ByteOrder.BIG_ENDIAN;

  public LogSettings {
    if (2 * timing.newPairNanos() > archive.disorderBoundNanos()) {
      throw new IllegalArgumentException(
          "values may wait for a new pair for half of the disorder bound at most: newPairNanos="
              + timing.newPairNanos()
              + ", disorderBoundNanos="
              + archive.disorderBoundNanos());
    }
    if (maxLogBytes > ReferenceLayout.INSTANCE.maxLogBytes()) {
      throw new IllegalArgumentException(
          "a log cannot be that large: maxLogBytes="
              + maxLogBytes
              + ", most="
              + ReferenceLayout.INSTANCE.maxLogBytes());
    }
  }

  /** Returns the default intervals, without syncs, and the largest size of the layout. */
  public static LogSettings of(Path root, ArchiveSettings archive) {
    return new LogSettings(
        root, archive, LogTiming.DEFAULT, SyncPolicy.NONE, ReferenceLayout.INSTANCE.maxLogBytes());
  }
}
