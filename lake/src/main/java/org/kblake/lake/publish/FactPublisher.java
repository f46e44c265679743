package org.kblake.lake.publish;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.data.Record;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.core.store.StoreReader;
import org.kblake.core.store.StoredBlock;
import org.kblake.lake.facts.FactRows;
import org.kblake.lake.facts.FactSources;
import org.kblake.lake.facts.FactsUpdate;
import org.kblake.lake.facts.GroupFacts;
import org.kblake.lake.table.DataName;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.Leftovers;
import org.kblake.lake.table.RowFile;
import org.kblake.lake.table.SiteTable;

/**
 * Publishes coverage and channels of groups whose events were published: first the events, then
 * what is said of them. So a reader that opens the coverage first has all events of its times. One
 * snapshot of a table has the changes of several groups.
 */
final class FactPublisher {

  private final StoreReader store;
  private final LakeCatalog catalog;
  private final FactSources sources;
  private final PublishListener listener;
  private final String version;
  private final PublishLock lock;

  /** The groups whose events were published, and their blocks. */
  private final Map<Group, List<StoredBlock>> due = new TreeMap<>();

  FactPublisher(
      StoreReader store,
      LakeCatalog catalog,
      FactSources sources,
      PublishListener listener,
      String version,
      PublishLock lock) {
    this.store = store;
    this.catalog = catalog;
    this.sources = sources;
    this.listener = listener;
    this.version = version;
    this.lock = lock;
  }

  /**
   * Adds a group.
   *
   * @param blocks the blocks that the tables have as a whole
   */
  void add(Group group, List<StoredBlock> blocks) {
    due.put(group, blocks);
  }

  /** A new data file of a group, and the one that it replaces. */
  private record Replacement(
      Group group, @Nullable DataFile old, GroupFacts facts, List<Record> rows) {}

  /** Publishes what changed. A group that cannot be read does not prevent others. */
  void run() throws IOException, InterruptedException {
    if (due.isEmpty() || hasNothing()) {
      due.clear();
      return;
    }
    LakeTable coverage = table(SiteTable.COVERAGE);
    LakeTable channels = table(SiteTable.CHANNELS);
    Map<Group, DataFile> spans = byGroup(coverage);
    Map<Group, DataFile> named = byGroup(channels);
    List<Replacement> coverages = new ArrayList<>();
    List<Replacement> records = new ArrayList<>();
    for (Map.Entry<Group, List<StoredBlock>> each : due.entrySet()) {
      Group group = each.getKey();
      try {
        DataFile file = spans.get(group);
        GroupFacts old =
            file == null
                ? GroupFacts.none(store.archive(), group.toString())
                : GroupFacts.read(coverage.io(), file.location());
        GroupFacts facts =
            FactsUpdate.of(old, store.archive(), each.getValue(), sources.archive().pairs(group));
        List<Record> covered = FactRows.coverage(facts);
        if (!facts.equals(old) && (file != null || !covered.isEmpty())) {
          coverages.add(new Replacement(group, file, facts, covered));
        }
        DataFile before = named.get(group);
        List<Record> rows =
            FactRows.channels(facts, sources.zone(), sources.metadata(group, listener::problem));
        if (!rows.equals(before == null ? List.of() : RowFile.read(channels, before.location()))) {
          records.add(new Replacement(group, before, facts, rows));
        }
      } catch (IOException | RuntimeException e) {
        LakeErrors.requireNotStopped(e);
        // A merge or an eviction may remove a block meanwhile. The next run reads what replaced it.
        if (each.getValue().stream().noneMatch(StoredBlock::isRemoved)) {
          listener.problem(group + ": " + LakeErrors.line(e));
        }
      }
    }
    due.clear();
    commit(coverage, coverages);
    commit(channels, records);
  }

  /** Returns whether there are neither blocks nor tables that had some before. */
  private boolean hasNothing() throws IOException {
    return due.values().stream().allMatch(List::isEmpty)
        && catalog.find(SiteTable.COVERAGE) == null;
  }

  private LakeTable table(SiteTable which) throws IOException {
    LakeTable table = catalog.find(which);
    if (table == null) {
      return catalog.create(which, store.archive(), lock);
    }
    table.requireArchive(store.archive());
    new Leftovers(table, lock).remove(table);
    return table;
  }

  private static Map<Group, DataFile> byGroup(LakeTable table) throws IOException {
    List<DataFile> live = table.liveFiles();
    table.requireOwn(live);
    Map<Group, DataFile> files = new TreeMap<>();
    for (DataFile file : live) {
      files.put(RowFile.groupOf(file), file);
    }
    return files;
  }

  private void commit(LakeTable table, List<Replacement> replacements)
      throws IOException, InterruptedException {
    if (replacements.isEmpty()) {
      return;
    }
    MarkedChange.run(
        table,
        lock,
        planned -> {
          List<DataFile> added = new ArrayList<>();
          List<DataFile> removed = new ArrayList<>();
          for (Replacement each : replacements) {
            if (Thread.interrupted()) {
              throw new InterruptedException();
            }
            // A file without rows does not exist.
            if (!each.rows().isEmpty()) {
              added.add(write(table, each));
            }
            if (each.old() != null) {
              removed.add(each.old());
            }
          }
          lock.confirm();
          table.commit(planned, removed, added, false, summary());
          listener.committed(
              table.toString(),
              added.size(),
              removed.size(),
              added.stream().mapToLong(DataFile::fileSizeInBytes).sum());
        });
  }

  private DataFile write(LakeTable table, Replacement each)
      throws IOException, InterruptedException {
    String unique = UUID.randomUUID().toString().substring(0, 8);
    DataName name = each.facts().dataName(unique);
    String path = table.dataPath(name);
    DataFile file = RowFile.write(table, path, each.group(), into -> into.addAll(each.rows()));
    try (InputStream in = table.io().newInputFile(path).newStream()) {
      each.facts().with(FileHash.of(in, bytes -> {})).write(table.io(), path);
    }
    return file;
  }

  private Map<String, String> summary() {
    return Map.of(LakeTable.VERSION, version, "kblake.archive", store.archive());
  }
}
