package org.kblake.lake.table;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.core.store.EventFile;

/**
 * A table, and its data files. Each change is one snapshot, which is committed only if the table is
 * as it was when the change was planned.
 */
public final class LakeTable {

  /** An entry of the summary of each snapshot of kblake. */
  public static final String VERSION = "kblake.version";

  /** Entries of the summary of a snapshot that has other rows than the one before it. */
  private static final List<String> ROW_CHANGES =
      List.of(
          SnapshotSummary.ADDED_FILES_PROP,
          SnapshotSummary.DELETED_FILES_PROP,
          SnapshotSummary.ADDED_DELETE_FILES_PROP,
          SnapshotSummary.REMOVED_DELETE_FILES_PROP);

  private final Table table;
  private final @Nullable TableKind kind;
  private final Configuration hadoop;

  /**
   * @param kind the kind of a group's table; null for a table with rows of all groups
   * @param hadoop the settings of Hadoop of the table's catalog
   */
  LakeTable(Table table, @Nullable TableKind kind, Configuration hadoop) {
    this.table = table;
    this.kind = kind;
    this.hadoop = hadoop;
  }

  public Table table() {
    return table;
  }

  /** Returns the kind of a group's table. */
  public TableKind kind() {
    if (kind == null) {
      throw new IllegalStateException("a table with rows of all groups: " + table.name());
    }
    return kind;
  }

  public FileIO io() {
    return table.io();
  }

  /** Returns the root of the archive as the store names it; null if kblake did not make it. */
  public @Nullable String archive() {
    return table.properties().get(TableSchema.ARCHIVE);
  }

  /**
   * Requires that the table has what a store has.
   *
   * @param archive the root of the archive as the store names it
   * @throws IOException if the table is of another archive
   */
  public void requireArchive(String archive) throws IOException {
    if (!archive.equals(archive())) {
      throw new IOException(
          "table has events of another archive: table="
              + this
              + ", its archive="
              + archive()
              + ", the store's archive="
              + archive
              + "; name another location, or set the table's property kblake.archive if both are"
              + " the same");
    }
  }

  /**
   * Requires that all rows are from kblake: no other program added or removed some.
   *
   * @param live the data files of the present snapshot
   * @throws IOException naming the snapshot, and the last one of kblake
   */
  public void requireOwn(Collection<DataFile> live) throws IOException {
    String found = null;
    Snapshot last = table.currentSnapshot();
    while (last != null && !last.summary().containsKey(VERSION)) {
      if (ROW_CHANGES.stream().anyMatch(last.summary()::containsKey)) {
        found = "snapshot=" + last.snapshotId() + " (" + last.operation() + ")";
      }
      last = last.parentId() == null ? null : table.snapshot(last.parentId());
    }
    for (DataFile file : live) {
      if (found == null && DataName.parse(file.location()) == null) {
        // An older version of kblake published behind it.
        found = "file=" + file.location();
        last = null;
      }
    }
    if (found != null) {
      throw new IOException(
          "another program changed rows of a table: table="
              + this
              + ", "
              + found
              + (last == null
                  ? "; publish to another location"
                  : "; roll the table back to snapshot "
                      + last.snapshotId()
                      + ", the last of kblake, or publish to another location"));
    }
  }

  /** Returns the name in its catalog, such as {@code VA.CCG_double}. */
  public String identifier() {
    String[] words = table.name().split("\\.");
    return words[words.length - 2] + "." + words[words.length - 1];
  }

  /**
   * Returns where readers without a catalog find the table, without the scheme of local files: its
   * directory, if a file there names the present metadata. Otherwise the present metadata, which
   * later commits remove.
   */
  public String place() {
    String path =
        VersionHint.version(table) != null
            ? table.location()
            : ((HasTableOperations) table).operations().current().metadataFileLocation();
    Path local = LocalFiles.path(path);
    return local == null ? path : local.toString();
  }

  /** Returns the path of a new data file. */
  public String dataPath(DataName name) {
    return table.location() + "/data/" + name;
  }

  /** Lets the file that names the present version of a table of the Hadoop catalog name it. */
  void mendVersionHint() throws IOException {
    VersionHint.mend(table, hadoop);
  }

  /** Bounds the metadata files of a table that an earlier version of kblake made. */
  public void boundMetadata() {
    if (!table.properties().entrySet().containsAll(TableSchema.OF_METADATA.entrySet())) {
      UpdateProperties update = table.updateProperties();
      TableSchema.OF_METADATA.forEach(update::set);
      update.commit();
    }
  }

  /** Returns the number of the present snapshot, or null if nothing was published yet. */
  public @Nullable Long snapshot() {
    Snapshot present = table.currentSnapshot();
    return present == null ? null : present.snapshotId();
  }

  /** Returns the data files of a group in the present snapshot of a table of all groups. */
  public List<DataFile> liveFiles(Group group) throws IOException {
    List<DataFile> files = liveFiles();
    files.removeIf(file -> !RowFile.groupOf(file).equals(group));
    return files;
  }

  /** Returns the data files of the present snapshot. */
  public List<DataFile> liveFiles() throws IOException {
    List<DataFile> files = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        files.add(task.file().copyWithoutStats());
      }
    }
    return files;
  }

  /** Returns the paths of the data files that any snapshot has. */
  public Set<String> neededFiles() throws IOException {
    Set<String> paths = new HashSet<>();
    Set<String> read = new HashSet<>();
    for (Snapshot snapshot : table.snapshots()) {
      for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
        if (read.add(manifest.path())) {
          try (CloseableIterable<String> live =
              ManifestFiles.readPaths(manifest, table.io(), table.specs())) {
            live.forEach(paths::add);
          }
        }
      }
    }
    return paths;
  }

  /** Opens a data file. The caller closes it. */
  public EventFile open(String path) {
    return new EventFile(new TableBytes(table.io(), path));
  }

  /**
   * Returns a data file for a commit.
   *
   * @param content a file with the same bytes; not closed here
   */
  public DataFile dataFile(String path, EventFile content) throws IOException {
    FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(content.footer()));
    return DataFiles.builder(table.spec())
        .withPath(path)
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(content.bytes())
        .withMetrics(FileMetrics.of(footer))
        .withSplitOffsets(FileMetrics.splitOffsets(footer))
        .build();
  }

  /** Removes a data file that was not committed, and its provenance, as far as they exist. */
  public void removeFile(DataName name) {
    for (String path : List.of(dataPath(name), Provenance.path(dataPath(name)))) {
      if (table.io().newInputFile(path).exists()) {
        table.io().deleteFile(path);
      }
    }
  }

  /** Writes where the rows of a data file come from, beside it. */
  public void writeProvenance(String dataFile, Provenance provenance) throws IOException {
    provenance.write(table.io(), dataFile);
  }

  /** Returns where the rows of a data file come from. */
  public Provenance provenance(String dataFile) throws IOException {
    return Provenance.read(table.io(), dataFile);
  }

  /**
   * Adds files, and removes files whose rows they have, in one snapshot.
   *
   * @param planned the snapshot for which the change was planned; null for a table without one
   * @param sameRows whether the added files have exactly the rows of the removed ones
   * @param summary further entries of the snapshot's summary
   */
  public void commit(
      @Nullable Long planned,
      Collection<DataFile> removed,
      Collection<DataFile> added,
      boolean sameRows,
      Map<String, String> summary) {
    if (sameRows && !removed.isEmpty()) {
      RewriteFiles rewrite = table.newRewrite();
      removed.forEach(rewrite::deleteFile);
      added.forEach(rewrite::addFile);
      commit(rewrite, planned, summary);
    } else {
      OverwriteFiles overwrite = table.newOverwrite();
      removed.forEach(overwrite::deleteFile);
      added.forEach(overwrite::addFile);
      commit(overwrite, planned, summary);
    }
  }

  private static <T extends SnapshotUpdate<T>> void commit(
      T change, @Nullable Long planned, Map<String, String> summary) {
    summary.forEach(change::set);
    change.validateWith(new Unchanged(planned));
    change.commit();
  }

  /** Another publisher may have committed since, or this commit may be a second attempt. */
  private record Unchanged(@Nullable Long planned) implements SnapshotAncestryValidator {

    @Override
    public boolean validate(Iterable<Snapshot> ancestors) {
      Iterator<Snapshot> latest = ancestors.iterator();
      return planned == null
          ? !latest.hasNext()
          : latest.hasNext() && latest.next().snapshotId() == planned;
    }

    @Override
    public String errorMessage() {
      return "another publisher changed the table";
    }
  }

  @Override
  public String toString() {
    return table.name();
  }
}
