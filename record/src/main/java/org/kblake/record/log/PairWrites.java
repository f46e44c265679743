package org.kblake.record.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Writes pairs as the {@link SyncPolicy} says, the names of files before their bytes. If the disk
 * takes new files for long, but not those of the pair, the pair is lost. For one thread.
 */
final class PairWrites {

  /** So many failed turns in a row may be the fault of the pair's files alone. */
  private static final int MANY_FAILURES = 10;

  private final LogFiles files;
  private final Path directory;
  private final Path triedFile;
  private final LogSettings settings;
  private int failures;
  private boolean hasUnsynced;
  private boolean hasUnsyncedNames;
  private long syncedNanos;

  PairWrites(String group, Path directory, LogFiles files, LogSettings settings, long now) {
    this.files = files;
    this.directory = directory;
    this.settings = settings;
    triedFile = directory.resolve("." + group + ".try");
    syncedNanos = now;
  }

  /** Notes that a pair was created. */
  void begun() {
    hasUnsyncedNames = true;
  }

  /**
   * Notes whether the last turn failed.
   *
   * @throws PairLostException if only this pair cannot be written
   */
  void retry(PairOutput current, boolean isRetry) throws IOException {
    failures = isRetry ? failures + 1 : 0;
    if (failures >= MANY_FAILURES) {
      tryNewFile(current.bytesInMemory());
      try {
        current.write(false, settings.sync() == SyncPolicy.NONE);
      } catch (IOException e) {
        throw new PairLostException("log cannot be written, a new pair is begun: " + e, e);
      }
    }
  }

  /** Writes as many bytes as wait for the pair into a file, and removes it. */
  private void tryNewFile(long bytes) throws IOException {
    try (WrittenFile tried = files.create(triedFile)) {
      tried.write(ByteBuffer.allocate(Math.toIntExact(bytes)), 0);
    } finally {
      files.discard(triedFile);
    }
  }

  /** Writes, and syncs if that is due. */
  void write(PairOutput current, long now) throws IOException {
    boolean syncsNow =
        switch (settings.sync()) {
          case NONE -> false;
          case INTERVAL -> now - syncedNanos >= settings.timing().syncNanos();
          case EVENT -> true;
        };
    if (!current.isDirty() && !(hasUnsynced && syncsNow)) {
      return;
    }
    if (syncsNow) {
      syncNames();
    }
    current.write(syncsNow, syncsNow || settings.sync() == SyncPolicy.NONE);
    syncedNanos = syncsNow ? now : syncedNanos;
    hasUnsynced = settings.sync() == SyncPolicy.INTERVAL && !syncsNow;
  }

  /** Ends a pair with a milestone, so that the span of its last segment is known. */
  void end(PairOutput last, long latestNanos, long wallNanos) throws IOException {
    boolean syncs = settings.sync() != SyncPolicy.NONE;
    if (syncs) {
      syncNames(); // a pair may end before its first sync
    }
    last.write(syncs, true); // without room this fails before memory has one milestone more
    last.milestone(latestNanos);
    last.write(syncs, true);
    last.writeStamps(wallNanos);
    last.end();
  }

  private void syncNames() throws IOException {
    if (hasUnsyncedNames) {
      files.force(directory);
      files.force(settings.root());
      hasUnsyncedNames = false;
    }
  }

  /** Returns the time until a sync is due. */
  long untilSyncNanos(long now) {
    return hasUnsynced ? settings.timing().syncNanos() + syncedNanos - now : Long.MAX_VALUE;
  }
}
