package org.kblake.lake.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
 * is not older than the mark, or any after a drop.
 *
 * <p>The right to change the tables is confirmed before each change. Files are listed before that:
 * if this process has lost the right, or loses it later, the lists have no file of the next one.
 */
public final class Leftovers {

  private static final String DROP = "drop";

  private final Table table;
  private final FileIO io;
  private final String mark;
  private final WriteRight right;

  /**
   * @param right is confirmed before each change
   */
  public Leftovers(LakeTable table, WriteRight right) {
    this.right = right;
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
    right.confirm();
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
  public void unmark() throws IOException {
    right.confirm();
    io.deleteFile(mark);
  }

  /**
   * Removes the files that no snapshot needs, if there is a mark, and then the mark. Without a mark
   * it removes the metadata of earlier attempts to make a table of the Hadoop catalog that has no
   * snapshot yet. The snapshots are read again first. If that fails, nothing is removed, and the
   * mark stays.
   *
   * @return the number of removed files
   */
  public int remove(LakeTable lakeTable) throws IOException {
    return remove(lakeTable, false);
  }

  /**
   * Removes the files that no snapshot needs, without a mark, too, such as earlier metadata.
   *
   * @return the number of removed files
   */
  public int removeAll(LakeTable lakeTable) throws IOException {
    return remove(lakeTable, true);
  }

  private int remove(LakeTable lakeTable, boolean unmarked) throws IOException {
    if (!(io instanceof SupportsPrefixOperations lister)) {
      return 0;
    }
    boolean marked = io.newInputFile(mark).exists();
    boolean made = table.currentSnapshot() != null || VersionHint.version(table) == null;
    if (!marked && made && !unmarked) {
      return 0;
    }
    List<FileInfo> metadata = list(lister, "/metadata/");
    boolean hasData = marked || unmarked && table.currentSnapshot() != null;
    List<FileInfo> data = hasData ? list(lister, "/data/") : List.of();
    boolean all = !marked || unmarked || isOfDrop();
    right.confirm();
    // A commit may have succeeded although it seemed to fail.
    table.refresh();
    if (marked) {
      // Before files are removed that the version before may need.
      lakeTable.mendVersionHint();
    }
    long sinceMillis = all ? Long.MIN_VALUE : Long.MAX_VALUE;
    Set<String> needed = names(metadata());
    for (String name : names(lakeTable.neededFiles())) {
      needed.add(name);
      needed.add(Provenance.path(name));
    }
    int removed = 0;
    for (FileInfo file : data) {
      String name = nameOf(file.location());
      if (name.equals(nameOf(mark))) {
        sinceMillis = Math.min(sinceMillis, file.createdAtMillis());
      } else if (DataName.parse(name) != null || name.endsWith(".parquet.json")) {
        removed += remove(file, needed);
      }
    }
    for (FileInfo file : metadata) {
      if (file.createdAtMillis() >= sinceMillis) {
        removed += remove(file, needed);
      }
    }
    if (marked) {
      unmark();
    }
    return removed;
  }

  private List<FileInfo> list(SupportsPrefixOperations lister, String directory) {
    List<FileInfo> files = new ArrayList<>();
    lister.listPrefix(table.location() + directory).forEach(files::add);
    return files;
  }

  /** Returns the number of removed files. */
  private int remove(FileInfo file, Set<String> needed) {
    if (needed.contains(nameOf(file.location()))) {
      return 0;
    }
    io.deleteFile(file.location());
    return 1;
  }

  /** Returns the metadata files that the table needs. */
  private Set<String> metadata() {
    Set<String> needed = new HashSet<>(ReachableFileUtil.metadataFileLocations(table, false));
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
