package org.kblake.lake.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ReachableFileUtil;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Files of a table that no snapshot needs: what a killed publisher left, or a drop has to remove. A
 * publisher writes a mark before it makes data files, and removes it after their commit. If the
 * mark is there at the begin, files without a snapshot are removed: data files, and metadata that
 * is not older than the mark, or any after a drop. The caller has the lock of the location, and
 * nobody else writes to the tables.
 */
public final class Leftovers {

  private static final String DROP = "drop";

  private final Table table;
  private final FileIO io;
  private final String mark;

  public Leftovers(LakeTable table) {
    this.table = table.table();
    this.io = table.io();
    this.mark = this.table.location() + "/data/unfinished";
  }

  /** Marks the table before data files are made. */
  public void mark() throws IOException {
    mark("publish");
  }

  /** Marks the table before files of expired snapshots are removed. They may be older. */
  public void markDrop() throws IOException {
    mark(DROP);
  }

  private void mark(String work) throws IOException {
    try (OutputStream out = io.newOutputFile(mark).createOrOverwrite()) {
      out.write(work.getBytes(StandardCharsets.UTF_8));
    }
  }

  private boolean isOfDrop() throws IOException {
    try (InputStream in = io.newInputFile(mark).newStream()) {
      return new String(in.readNBytes(DROP.length()), StandardCharsets.UTF_8).equals(DROP);
    }
  }

  /** Removes the mark after the commit of the data files. */
  public void unmark() {
    io.deleteFile(mark);
  }

  /**
   * Removes the files that no snapshot needs, if there is a mark, and then the mark. The snapshots
   * are read again first. If that fails, nothing is removed, and the mark stays.
   *
   * @return the number of removed files
   */
  public int remove(LakeTable lakeTable) throws IOException {
    if (!(io instanceof SupportsPrefixOperations lister)) {
      return 0;
    }
    if (!io.newInputFile(mark).exists()) {
      if (table.currentSnapshot() == null && VersionHint.version(table) != null) {
        removeOfEarlierAttempt();
      }
      return 0;
    }
    // A commit may have succeeded although it seemed to fail.
    table.refresh();
    VersionHint.mend(table);
    long markedMillis = Long.MAX_VALUE;
    Set<String> data = new HashSet<>();
    for (FileInfo file : lister.listPrefix(table.location() + "/data/")) {
      if (nameOf(file.location()).equals(nameOf(mark))) {
        markedMillis = isOfDrop() ? Long.MIN_VALUE : file.createdAtMillis();
      } else {
        data.add(file.location());
      }
    }
    Set<String> needed = names(lakeTable.neededFiles());
    Set<String> own = new HashSet<>();
    needed.forEach(name -> own.add(Provenance.path(name)));
    int removed = 0;
    for (String file : data) {
      String name = nameOf(file);
      boolean ours = DataName.parse(name) != null || name.endsWith(".parquet.json");
      if (ours && !needed.contains(name) && !own.contains(name)) {
        io.deleteFile(file);
        removed++;
      }
    }
    removed += removeMetadata(lister, markedMillis);
    unmark();
    return removed;
  }

  /**
   * Removes metadata of an attempt to make this table, which a kill ended. The table has no
   * snapshot, and is in the directory of no other table.
   */
  void removeOfEarlierAttempt() {
    if (io instanceof SupportsPrefixOperations lister) {
      removeMetadata(lister, Long.MIN_VALUE);
    }
  }

  /** Returns the number of removed files, which are not older than a time. */
  private int removeMetadata(SupportsPrefixOperations lister, long sinceMillis) {
    int removed = 0;
    Set<String> metadata = names(metadata());
    for (FileInfo file : lister.listPrefix(table.location() + "/metadata/")) {
      if (file.createdAtMillis() >= sinceMillis && !metadata.contains(nameOf(file.location()))) {
        io.deleteFile(file.location());
        removed++;
      }
    }
    return removed;
  }

  /** Returns the metadata files that the table needs. */
  private Set<String> metadata() {
    Set<String> needed = new HashSet<>(ReachableFileUtil.metadataFileLocations(table, true));
    needed.add(ReachableFileUtil.versionHintLocation(table));
    needed.addAll(ReachableFileUtil.manifestListLocations(table));
    needed.addAll(ReachableFileUtil.statisticsFilesLocations(table));
    for (Snapshot snapshot : table.snapshots()) {
      for (ManifestFile manifest : snapshot.allManifests(io)) {
        needed.add(manifest.path());
      }
    }
    return needed;
  }

  /** The same file may be listed under another form of its address. Names of files are unique. */
  private static Set<String> names(Set<String> paths) {
    Set<String> names = new HashSet<>();
    paths.forEach(path -> names.add(nameOf(path)));
    return names;
  }

  private static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
