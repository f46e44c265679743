package org.kblake.lake.publish;

import java.io.IOException;
import java.time.Instant;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.jspecify.annotations.Nullable;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.Leftovers;

/**
 * A change of a table behind a mark. Nothing is left of it if it fails, unless it is unknown
 * whether it failed. Then the next publisher finds out.
 */
final class MarkedChange {

  private static final long MAX_BACKWARD_MILLIS = 60_000;

  private MarkedChange() {}

  /** Makes data files, and commits them. */
  @FunctionalInterface
  interface Work {

    /**
     * @param planned the snapshot for which the change is planned; null for a table without one
     */
    void run(@Nullable Long planned) throws IOException, InterruptedException;
  }

  static void run(LakeTable table, PublishLock lock, Work work)
      throws IOException, InterruptedException {
    requireClock(table);
    Long planned = table.snapshot();
    Leftovers leftovers = new Leftovers(table, lock);
    leftovers.mark();
    try {
      table.boundMetadata();
      work.run(planned);
    } catch (CommitStateUnknownException e) {
      // The snapshot may need the files. The next publisher finds out.
      throw e;
    } catch (IOException | InterruptedException | RuntimeException e) {
      try {
        removeUninterrupted(leftovers, table);
      } catch (IOException | RuntimeException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
    if (Thread.currentThread().isInterrupted()) {
      // Iceberg has perhaps not written the version hint, and does not tell.
      removeUninterrupted(leftovers, table);
    } else {
      leftovers.unmark();
    }
  }

  /** Iceberg refuses a snapshot that is a minute earlier than the one before it. */
  private static void requireClock(LakeTable table) throws IOException {
    Snapshot last = table.table().currentSnapshot();
    long now = System.currentTimeMillis();
    if (last != null && last.timestampMillis() - now > MAX_BACKWARD_MILLIS) {
      throw new IOException(
          "the clock of this host is behind the last snapshot of a table: table="
              + table
              + ", snapshot="
              + Instant.ofEpochMilli(last.timestampMillis())
              + ", clock="
              + Instant.ofEpochMilli(now)
              + "; correct the clock, or publish after that time");
    }
  }

  private static void removeUninterrupted(Leftovers leftovers, LakeTable table) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      leftovers.remove(table);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
