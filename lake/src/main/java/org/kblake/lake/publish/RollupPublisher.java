package org.kblake.lake.publish;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.FileAppender;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.model.Group;
import org.kblake.core.store.StoreReader;
import org.kblake.core.store.StoredBlock;
import org.kblake.lake.table.DataName;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.Leftovers;
import org.kblake.lake.table.Provenance;
import org.kblake.lake.table.RowFile;
import org.kblake.lake.table.SiteTable;

/**
 * Publishes the rollups of blocks, a data file for each block that has some. Files replace each
 * other as those of events do. A rollup that cannot be read is left out: events tell the same.
 */
final class RollupPublisher {

  /** A snapshot has so many changes, so that little is lost by a kill. */
  private static final int BATCH = 256;

  private final StoreReader store;
  private final LakeCatalog catalog;
  private final PublishListener listener;
  private final String version;
  private final PublishLock lock;
  private final Map<Group, List<StoredBlock>> due = new TreeMap<>();

  RollupPublisher(
      StoreReader store,
      LakeCatalog catalog,
      PublishListener listener,
      String version,
      PublishLock lock) {
    this.store = store;
    this.catalog = catalog;
    this.listener = listener;
    this.version = version;
    this.lock = lock;
  }

  /** Adds a group, and its blocks whose events are in the tables. */
  void add(Group group, List<StoredBlock> blocks) {
    due.put(group, blocks);
  }

  /** Publishes what changed. */
  void run() throws IOException, InterruptedException {
    if (due.isEmpty()) {
      return;
    }
    LakeTable table = catalog.find(SiteTable.ROLLUP);
    if (table == null && due.values().stream().allMatch(List::isEmpty)) {
      due.clear();
      return;
    }
    if (table == null) {
      table = catalog.create(SiteTable.ROLLUP, store.archive(), lock);
    } else {
      table.requireArchive(store.archive());
      new Leftovers(table, lock).remove(table);
    }
    Map<Group, List<DataFile>> live = new HashMap<>();
    List<DataFile> present = table.liveFiles();
    table.requireOwn(present);
    for (DataFile file : present) {
      live.computeIfAbsent(RowFile.groupOf(file), any -> new ArrayList<>()).add(file);
    }
    List<Change> changes = new ArrayList<>();
    for (Map.Entry<Group, List<StoredBlock>> each : due.entrySet()) {
      for (Change change :
          ChangePlan.of(table, live.getOrDefault(each.getKey(), List.of()), each.getValue())) {
        List<FileRows> whole =
            change.added().stream()
                .filter(fileRows -> fileRows.chosen() == null && fileRows.block().hasRollups())
                .toList();
        if (!whole.isEmpty() || !change.removed().isEmpty()) {
          changes.add(new Change(change.removed(), whole, false));
        }
      }
    }
    due.clear();
    for (int i = 0; i < changes.size(); i += BATCH) {
      commit(table, changes.subList(i, Math.min(i + BATCH, changes.size())));
    }
  }

  private void commit(LakeTable table, List<Change> changes)
      throws IOException, InterruptedException {
    MarkedChange.run(
        table,
        lock,
        planned -> {
          List<DataFile> added = new ArrayList<>();
          List<DataFile> removed = new ArrayList<>();
          for (Change change : changes) {
            removed.addAll(change.removed());
            for (FileRows fileRows : change.added()) {
              if (Thread.interrupted()) {
                throw new InterruptedException();
              }
              DataFile file = write(table, fileRows);
              if (file != null) {
                added.add(file);
              }
            }
          }
          lock.confirm();
          table.commit(
              planned,
              removed,
              added,
              false,
              Map.of(LakeTable.VERSION, version, "kblake.archive", store.archive()));
          listener.committed(
              table.toString(),
              added.size(),
              removed.size(),
              added.stream().mapToLong(DataFile::fileSizeInBytes).sum());
        });
  }

  /** Writes the rollups of a block. Returns null if they are damaged, or were removed meanwhile. */
  private @Nullable DataFile write(LakeTable table, FileRows fileRows)
      throws IOException, InterruptedException {
    StoredBlock block = fileRows.block();
    DataName name = FileTransfer.name(fileRows);
    String path = table.dataPath(name);
    Path source = block.directory().resolve(StoredBlock.ROLLUPS);
    DataFile file;
    Provenance.Content content;
    try (InputStream in = Files.newInputStream(source)) {
      content =
          new Provenance.Content(
              StoredBlock.ROLLUPS, Files.size(source), FileHash.of(in, bytes -> {}));
      file = RowFile.write(table, path, block.group(), into -> write(block, into));
    } catch (CorruptBlockException | NoSuchFileException e) {
      table.removeFile(name);
      if (e instanceof NoSuchFileException && Files.exists(source)) {
        throw e; // The block has its file, so one of the table is missing
      }
      return null;
    }
    try (InputStream in = table.io().newInputFile(path).newStream()) {
      Provenance.Content own =
          new Provenance.Content(
              path.substring(path.lastIndexOf('/') + 1),
              file.fileSizeInBytes(),
              FileHash.of(in, bytes -> {}));
      table.writeProvenance(path, Provenance.of(store.archive(), block, content, own, true));
    }
    return file;
  }

  private static void write(StoredBlock block, FileAppender<Record> into) throws IOException {
    block.readRollups(
        each -> {
          Record row = GenericRecord.create(SiteTable.ROLLUP.schema());
          row.setField("group", block.group().toString());
          row.setField("channel", each.channel());
          row.setField("width", each.widthNanos());
          row.setField("from", each.fromNanos());
          row.setField("count", each.count());
          row.setField("nan", each.nan());
          row.setField("severity", each.severity());
          row.setField("min", each.min());
          row.setField("max", each.max());
          row.setField("mean", each.mean());
          into.add(row);
        });
  }
}
