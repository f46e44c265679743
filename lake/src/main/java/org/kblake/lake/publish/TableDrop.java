package org.kblake.lake.publish;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.iceberg.ReachableFileUtil;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.Leftovers;
import org.kblake.lake.table.Provenance;

/**
 * Forgets old snapshots of a table, and removes the files that no other snapshot needs. The present
 * snapshot always stays. The caller has the lock of the location.
 */
public final class TableDrop {

  /**
   * What was done.
   *
   * @param snapshots the number of forgotten snapshots
   * @param files the number of removed files
   */
  public record Result(long snapshots, long files) {}

  private TableDrop() {}

  /**
   * Forgets the snapshots before a time.
   *
   * @param beforeMillis milliseconds since 1970 UTC
   */
  public static Result run(LakeTable lakeTable, long beforeMillis) throws IOException {
    Table table = lakeTable.table();
    Leftovers leftovers = new Leftovers(lakeTable);
    long removed = leftovers.remove(lakeTable);
    int before = count(table);
    if (!hasOlder(table, beforeMillis)) {
      return new Result(0, removed);
    }
    leftovers.markDrop();
    AtomicLong files = new AtomicLong(removed);
    table
        .expireSnapshots()
        .expireOlderThan(beforeMillis)
        .retainLast(1)
        .deleteWith(
            path -> {
              remove(table, path);
              files.incrementAndGet();
              if (path.endsWith(".parquet")) {
                remove(table, Provenance.path(path));
              }
            })
        .commit();
    table.refresh();
    files.addAndGet(removeOldVersions(table, beforeMillis));
    leftovers.unmark();
    return new Result(before - count(table), files.get());
  }

  private static boolean hasOlder(Table table, long beforeMillis) {
    Snapshot present = table.currentSnapshot();
    for (Snapshot snapshot : table.snapshots()) {
      if (present != null
          && snapshot.snapshotId() != present.snapshotId()
          && snapshot.timestampMillis() < beforeMillis) {
        return true;
      }
    }
    return false;
  }

  private static int count(Table table) {
    int count = 0;
    for (Snapshot unused : table.snapshots()) {
      count++;
    }
    return count;
  }

  /** Removes versions of the table's metadata that its log of versions does not have any more. */
  private static long removeOldVersions(Table table, long beforeMillis) {
    if (!(table.io() instanceof SupportsPrefixOperations lister)) {
      return 0;
    }
    Set<String> needed = new HashSet<>();
    for (String path : ReachableFileUtil.metadataFileLocations(table, true)) {
      needed.add(path.substring(path.lastIndexOf('/') + 1));
    }
    long removed = 0;
    for (FileInfo file : lister.listPrefix(table.location() + "/metadata/")) {
      String name = file.location().substring(file.location().lastIndexOf('/') + 1);
      if (name.endsWith(".metadata.json")
          && !needed.contains(name)
          && file.createdAtMillis() < beforeMillis) {
        table.io().deleteFile(file.location());
        removed++;
      }
    }
    return removed;
  }

  private static void remove(Table table, String path) {
    try {
      table.io().deleteFile(path);
    } catch (NotFoundException e) {
      // A drop that was killed removed it.
    }
  }
}
