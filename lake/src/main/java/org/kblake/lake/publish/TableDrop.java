package org.kblake.lake.publish;

import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.Leftovers;
import org.kblake.lake.table.WriteRight;

/**
 * Forgets old snapshots of a table, and removes the files that no other snapshot needs. The present
 * snapshot always stays. The caller has the lock of the location. A drop that is killed is
 * continued by the next drop or publish.
 */
public final class TableDrop {

  /**
   * What was done.
   *
   * @param snapshots the number of forgotten snapshots
   * @param files the number of removed files
   */
  public record Result(int snapshots, int files) {}

  private TableDrop() {}

  /**
   * Forgets the snapshots before a time. Removes files that no snapshot needs in any case, such as
   * earlier metadata.
   *
   * @param right is confirmed before each change
   * @param beforeMillis milliseconds since 1970 UTC
   * @throws IOException also if another program changed rows; then nothing is forgotten
   */
  public static Result run(LakeTable lakeTable, WriteRight right, long beforeMillis)
      throws IOException {
    // The snapshots of kblake before it are all that is left to go back to.
    lakeTable.requireOwn(lakeTable.liveFiles());
    int removed = new Leftovers(lakeTable, right).remove(lakeTable);
    Result result = forget(lakeTable, right, older(lakeTable.table(), beforeMillis));
    return new Result(result.snapshots(), removed + result.files());
  }

  /**
   * Forgets the snapshots that publishing does not keep, if they are many.
   *
   * @param right is confirmed before each change
   */
  static void bound(LakeTable lakeTable, WriteRight right, Instant now) throws IOException {
    Set<Long> forgotten = KeptSnapshots.forgotten(lakeTable.table(), now);
    if (!forgotten.isEmpty()) {
      lakeTable.requireOwn(lakeTable.liveFiles());
      forget(lakeTable, right, forgotten);
    }
  }

  private static Result forget(LakeTable lakeTable, WriteRight right, Set<Long> forgotten)
      throws IOException {
    Table table = lakeTable.table();
    Leftovers leftovers = new Leftovers(lakeTable, right);
    if (!forgotten.isEmpty()) {
      leftovers.markDrop();
      // Iceberg itself would keep the files that the present snapshot replaced, and by default
      // forget snapshots of five days.
      ExpireSnapshots expire =
          table
              .expireSnapshots()
              .expireOlderThan(0)
              .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE);
      forgotten.forEach(expire::expireSnapshotId);
      expire.commit();
      table.refresh();
    }
    return new Result(forgotten.size(), leftovers.removeAll(lakeTable));
  }

  private static Set<Long> older(Table table, long beforeMillis) {
    Set<Long> older = new HashSet<>();
    for (Snapshot snapshot : table.snapshots()) {
      if (snapshot.timestampMillis() < beforeMillis) {
        older.add(snapshot.snapshotId());
      }
    }
    table.refs().values().forEach(reference -> older.remove(reference.snapshotId()));
    return older;
  }
}
