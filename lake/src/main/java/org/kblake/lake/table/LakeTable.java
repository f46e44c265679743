package org.kblake.lake.table;

import java.io.IOException;
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
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.parquet.format.FileMetaData;
import org.jspecify.annotations.Nullable;

/**
 * A table, and its data files. Each change is one snapshot, which is committed only if the table is
 * as it was when the change was planned.
 */
public final class LakeTable {

  private final Table table;
  private final TableKind kind;
  private final Configuration hadoop;

  /**
   * @param hadoop the settings of Hadoop of the table's catalog
   */
  LakeTable(Table table, TableKind kind, Configuration hadoop) {
    this.table = table;
    this.kind = kind;
    this.hadoop = hadoop;
  }

  public Table table() {
    return table;
  }

  public TableKind kind() {
    return kind;
  }

  public FileIO io() {
    return table.io();
  }

  /** Returns the root of the archive whose events the table has. */
  public @Nullable String archive() {
    return table.properties().get(TableSchema.ARCHIVE);
  }

  /** Returns the path of a new data file. */
  public String dataPath(DataName name) {
    return table.location() + "/data/" + name;
  }

  /** Lets the file that names the present version of a table of the Hadoop catalog name it. */
  void mendVersionHint() throws IOException {
    VersionHint.mend(table, hadoop);
  }

  /** Returns the number of the present snapshot, or null if nothing was published yet. */
  public @Nullable Long snapshot() {
    Snapshot present = table.currentSnapshot();
    return present == null ? null : present.snapshotId();
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

  /**
   * Returns a data file for a commit.
   *
   * @param footer the contents of its footer
   */
  public DataFile dataFile(String path, long bytes, FileMetaData footer) {
    return DataFiles.builder(table.spec())
        .withPath(path)
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(bytes)
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
