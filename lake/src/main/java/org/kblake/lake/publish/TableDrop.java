package org.kblake.lake.publish;

import java.io.IOException;
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
   * Forgets the snapshots before a time.
   *
   * @param right is confirmed before each change
   * @param beforeMillis milliseconds since 1970 UTC
   */
  public static Result run(LakeTable lakeTable, WriteRight right, long beforeMillis)
      throws IOException {
    Table table = lakeTable.table();
    Leftovers leftovers = new Leftovers(lakeTable, right);
    int removed = leftovers.remove(lakeTable);
    int old = countOlder(table, beforeMillis);
    if (old == 0) {
      return new Result(0, removed);
    }
    leftovers.markDrop();
    // Iceberg itself would keep the files that the present snapshot replaced.
    table
        .expireSnapshots()
        .expireOlderThan(beforeMillis)
        .retainLast(1)
        .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
        .commit();
    table.refresh();
    return new Result(old, removed + leftovers.remove(lakeTable));
  }

  private static int countOlder(Table table, long beforeMillis) {
    Snapshot present = table.currentSnapshot();
    int count = 0;
    for (Snapshot snapshot : table.snapshots()) {
      boolean old = snapshot.timestampMillis() < beforeMillis;
      count += old && present != null && snapshot.snapshotId() != present.snapshotId() ? 1 : 0;
    }
    return count;
  }
}
