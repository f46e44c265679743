package org.kblake.lake.check;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.kblake.core.model.Group;
import org.kblake.core.store.StoreReader;
import org.kblake.core.store.StoredBlock;
import org.kblake.lake.publish.ChangePlan;
import org.kblake.lake.publish.LakeErrors;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.RowFile;
import org.kblake.lake.table.TableKind;

/** Compares the tables of groups with a store. Changes nothing. */
public final class LakeCheck {

  private final StoreReader store;
  private final LakeCatalog catalog;
  private final CheckListener listener;

  /**
   * @param catalog not closed here
   */
  public LakeCheck(StoreReader store, LakeCatalog catalog, CheckListener listener) {
    this.store = store;
    this.catalog = catalog;
    this.listener = listener;
  }

  /** Returns the bytes of the data files of groups. */
  public long bytes(List<Group> groups) throws IOException {
    long bytes = 0;
    for (Group group : groups) {
      for (LakeTable table : catalog.tables(group)) {
        for (DataFile file : table.liveFiles()) {
          bytes += file.fileSizeInBytes();
        }
      }
    }
    for (LakeTable table : catalog.siteTables()) {
      for (DataFile file : table.liveFiles()) {
        bytes += groups.contains(RowFile.groupOf(file)) ? file.fileSizeInBytes() : 0;
      }
    }
    return bytes;
  }

  /**
   * Compares the tables of groups. A group that cannot be read does not prevent others.
   *
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void run(List<Group> groups) throws InterruptedException {
    for (Group group : groups) {
      try {
        run(group);
      } catch (IOException | RuntimeException e) {
        LakeErrors.requireNotStopped(e);
        listener.problem(group + ": " + LakeErrors.line(e));
      }
    }
  }

  private void run(Group group) throws IOException, InterruptedException {
    List<StoredBlock> blocks =
        store.has(group)
            ? store.blocks(group, damaged -> listener.problem(String.valueOf(damaged.getMessage())))
            : List.of();
    StoredBlock.lostEnds(blocks).forEach(listener::problem);
    for (TableKind kind : TableKind.all()) {
      LakeTable table = catalog.find(group, kind);
      if (table != null) {
        new TableCheck(table, blocks, listener).run();
        listener.unpublished(ChangePlan.lacking(table, table.liveFiles(), blocks));
      } else {
        listener.unpublished(
            (int)
                blocks.stream()
                    .filter(block -> Files.exists(block.directory().resolve(kind.fileName())))
                    .count());
      }
    }
    new FactCheck(store, catalog, blocks, listener).run(group);
  }
}
