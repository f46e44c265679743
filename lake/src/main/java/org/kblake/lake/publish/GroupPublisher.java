package org.kblake.lake.publish;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.DataFile;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.model.Group;
import org.kblake.core.store.StoreReader;
import org.kblake.core.store.StoredBlock;
import org.kblake.lake.table.DataName;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.Leftovers;
import org.kblake.lake.table.TableKind;

/**
 * Publishes the blocks of a group. Blocks that replace data files are one snapshot with these.
 * Other blocks are committed in batches. A batch that was committed stays if the rest fails.
 */
final class GroupPublisher {

  /** Batches are small enough that little is lost by a kill. */
  private static final int BATCH_FILES = 64;

  private static final long BATCH_BYTES = 1L << 30;

  private static final String NOT_PUBLISHED =
      "; it is not published; make it again with kblake verify --discard and kblake backfill";

  private final StoreReader store;
  private final LakeCatalog catalog;
  private final LocationOwner owner;
  private final FileTransfer transfer;
  private final PublishListener listener;
  private final String version;
  private final PublishLock lock;

  /** The names of the files of known blocks, by directory. Blocks never change. */
  private final Map<Path, Set<String>> files = new HashMap<>();

  /** The blocks of the group that a table lacks, because they are damaged. */
  private final Set<StoredBlock> lacking = new HashSet<>();

  GroupPublisher(
      StoreReader store,
      LakeCatalog catalog,
      LocationOwner owner,
      FileTransfer transfer,
      PublishListener listener,
      String version,
      PublishLock lock) {
    this.lock = lock;
    this.owner = owner;
    this.store = store;
    this.catalog = catalog;
    this.transfer = transfer;
    this.listener = listener;
    this.version = version;
  }

  /**
   * Publishes what the tables of a group lack.
   *
   * @return the blocks that the tables have as a whole
   */
  List<StoredBlock> run(Group group) throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      lacking.clear();
      List<CorruptBlockException> damaged = new ArrayList<>();
      List<StoredBlock> blocks = store.blocks(group, damaged::add);
      try {
        for (TableKind kind : TableKind.all()) {
          publish(group, kind, blocks);
        }
        damaged.forEach(each -> listener.problem(each.getMessage() + NOT_PUBLISHED));
        StoredBlock.lostEnds(blocks).forEach(listener::problem);
        return blocks.stream().filter(block -> !lacking.contains(block)).toList();
      } catch (IOException e) {
        // A merge or an eviction removed a block after it was listed.
        if (attempt == StoreReader.MAX_LISTINGS
            || blocks.stream().noneMatch(StoredBlock::isRemoved)) {
          throw e;
        }
      }
    }
  }

  private void publish(Group group, TableKind kind, List<StoredBlock> blocks)
      throws IOException, InterruptedException {
    LakeTable table = catalog.find(group, kind);
    if (table == null) {
      boolean none = true;
      for (StoredBlock block : blocks) {
        none &= !has(block, kind);
      }
      if (none) {
        return;
      }
      owner.claim(lock);
      table = catalog.create(group, kind, store.archive(), lock);
    } else {
      table.requireArchive(store.archive());
      new Leftovers(table, lock).remove(table);
    }
    List<DataFile> live = table.liveFiles();
    table.requireOwn(live);
    List<Change> appended = new ArrayList<>();
    List<Change> replaced = new ArrayList<>();
    for (Change change : ChangePlan.of(table, live, blocks)) {
      List<FileRows> rowsOfBlocks = new ArrayList<>();
      for (FileRows fileRows : change.added()) {
        if (has(fileRows.block(), kind)) {
          rowsOfBlocks.add(fileRows);
        }
      }
      if (!change.removed().isEmpty()) {
        replaced.add(new Change(change.removed(), rowsOfBlocks, change.sameSpans()));
      } else if (!rowsOfBlocks.isEmpty()) {
        appended.add(new Change(List.of(), rowsOfBlocks, false));
      }
    }
    skip(blocks, kind, appended, replaced);
    for (Change batch : batches(appended, kind)) {
      commit(group, table, batch);
    }
    for (Change change : replaced) {
      commit(group, table, change);
    }
  }

  /** Reports the bytes of blocks that the table already has as done. */
  private void skip(
      List<StoredBlock> blocks, TableKind kind, List<Change> appended, List<Change> replaced)
      throws IOException {
    Set<StoredBlock> changed = new HashSet<>();
    for (List<Change> changes : List.of(appended, replaced)) {
      changes.forEach(change -> change.added().forEach(fileRows -> changed.add(fileRows.block())));
    }
    for (StoredBlock block : blocks) {
      if (has(block, kind) && !changed.contains(block)) {
        listener.read(Files.size(block.directory().resolve(kind.fileName())));
      }
    }
  }

  private static List<Change> batches(List<Change> appended, TableKind kind) throws IOException {
    List<Change> batches = new ArrayList<>();
    List<FileRows> rowsOfBlocks = new ArrayList<>();
    long bytes = 0;
    for (Change change : appended) {
      for (FileRows fileRows : change.added()) {
        rowsOfBlocks.add(fileRows);
        bytes += Files.size(fileRows.block().directory().resolve(kind.fileName()));
        if (rowsOfBlocks.size() == BATCH_FILES || bytes >= BATCH_BYTES) {
          batches.add(new Change(List.of(), List.copyOf(rowsOfBlocks), false));
          rowsOfBlocks.clear();
          bytes = 0;
        }
      }
    }
    if (!rowsOfBlocks.isEmpty()) {
      batches.add(new Change(List.of(), List.copyOf(rowsOfBlocks), false));
    }
    return batches;
  }

  /** Makes the data files of a change, then commits it. Nothing is left of it if it fails. */
  private void commit(Group group, LakeTable table, Change change)
      throws IOException, InterruptedException {
    MarkedChange.run(
        table,
        lock,
        planned -> {
          List<DataFile> added = new ArrayList<>();
          for (FileRows fileRows : change.added()) {
            DataFile file = transfer(fileRows, table, change.removed().isEmpty());
            if (file != null) {
              added.add(file);
            }
          }
          if (!added.isEmpty() || !change.removed().isEmpty()) {
            boolean sameRows =
                change.sameSpans() && !added.isEmpty() && rows(added) == rows(change.removed());
            lock.confirm();
            table.commit(planned, change.removed(), added, sameRows, summary(group, change));
            listener.committed(
                table.toString(),
                added.size(),
                change.removed().size(),
                added.stream().mapToLong(DataFile::fileSizeInBytes).sum());
          }
        });
  }

  /**
   * Makes a data file.
   *
   * @param mayLack whether a damaged block is left out; it is reported
   */
  private @Nullable DataFile transfer(FileRows fileRows, LakeTable table, boolean mayLack)
      throws IOException, InterruptedException {
    DataName name = FileTransfer.name(fileRows);
    try {
      return transfer.run(fileRows, table, name);
    } catch (CorruptBlockException e) {
      if (fileRows.block().isRemoved() || !mayLack) {
        throw e;
      }
      table.removeFile(name);
      lacking.add(fileRows.block());
      listener.problem(e.getMessage() + NOT_PUBLISHED);
      return null;
    }
  }

  private static long rows(List<DataFile> files) {
    return files.stream().mapToLong(DataFile::recordCount).sum();
  }

  private Map<String, String> summary(Group group, Change change) {
    Map<String, String> summary = new TreeMap<>();
    summary.put(LakeTable.VERSION, version);
    summary.put("kblake.archive", store.archive());
    summary.put("kblake.group", group.toString());
    if (!change.added().isEmpty()) {
      StoredBlock first = change.added().get(0).block();
      StoredBlock last = change.added().get(change.added().size() - 1).block();
      summary.put("kblake.first-block", String.valueOf(first.directory().getFileName()));
      summary.put("kblake.last-block", String.valueOf(last.directory().getFileName()));
      summary.put("kblake.blocks", String.valueOf(change.added().size()));
    }
    return summary;
  }

  private boolean has(StoredBlock block, TableKind kind) throws IOException {
    Set<String> names = files.get(block.directory());
    if (names == null) {
      names = new HashSet<>();
      try (DirectoryStream<Path> listed = Files.newDirectoryStream(block.directory())) {
        for (Path file : listed) {
          names.add(String.valueOf(file.getFileName()));
        }
      }
      files.put(block.directory(), names);
    }
    return names.contains(kind.fileName());
  }
}
