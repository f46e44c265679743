package org.kblake.hbase.destination;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.Bytes;
import org.kblake.hbase.cell.BatchCells;
import org.kblake.hbase.cell.CellCompression;
import org.kblake.hbase.cell.CellDigest;
import org.kblake.hbase.cell.HFileOutput;
import org.kblake.hbase.cluster.ClusterErrors;
import org.kblake.hbase.layout.TableLayout;

/**
 * A directory for a later bulk load.
 *
 * <pre>
 *   e/BATCH.00000 ...    files of HBase; a name without "_" is complete
 *   _stretches/BATCH     the digest of the cells, then the names of the files
 *   _writing/            files that are not complete
 * </pre>
 */
public final class DirectoryTarget implements BatchTarget {

  private static final long MAX_FILE_BYTES = 1L << 30;
  private static final int MAX_NOTE_BYTES = 1 << 20;

  private final Configuration configuration;
  private final CellCompression compression;
  private final FileSystem files;
  private final Path family;
  private final Path batches;
  private final Path writing;

  /** The names of batches that were written. Most of those that are asked for have no events. */
  private final Set<String> noted = new HashSet<>();

  /**
   * Opens a directory. It is created if it does not exist.
   *
   * @param directory a path of Hadoop
   */
  public DirectoryTarget(Path directory, Configuration configuration, CellCompression compression)
      throws IOException, InterruptedException {
    this.configuration = configuration;
    this.compression = compression;
    family = new Path(directory, Bytes.toString(TableLayout.family()));
    batches = new Path(directory, "_stretches");
    writing = new Path(directory, "_writing");
    files =
        ClusterErrors.explained(
            "writing to " + directory,
            () -> {
              FileSystem opened = HFileOutput.fileSystem(directory, configuration);
              HFileOutput.remove(opened, writing);
              opened.mkdirs(family);
              opened.mkdirs(batches);
              for (FileStatus each : opened.listStatus(batches)) {
                noted.add(each.getPath().getName());
              }
              return opened;
            });
  }

  @Override
  public boolean has(ExportBatch batch, CellDigest digest)
      throws IOException, InterruptedException {
    return ClusterErrors.explained(
        "reading " + batches,
        () -> {
          List<String> note = note(batch);
          if (note.isEmpty()) {
            return digest.cells() == 0;
          }
          if (!digest.isText(note.get(0))) {
            return false;
          }
          for (String name : note.subList(1, note.size())) {
            if (!files.exists(new Path(family, name))) {
              return false;
            }
          }
          return true;
        });
  }

  /** Returns the lines on a batch; empty if it was not written. */
  private List<String> note(ExportBatch batch) throws IOException {
    Path path = new Path(batches, batch.name());
    if (!noted.contains(batch.name()) || !files.exists(path)) {
      return List.of();
    }
    try (FSDataInputStream in = files.open(path)) {
      String text = new String(in.readNBytes(MAX_NOTE_BYTES), StandardCharsets.UTF_8);
      return Arrays.asList(text.strip().split("\n"));
    }
  }

  @Override
  public void write(ExportBatch batch, BatchCells cells, CellDigest digest)
      throws IOException, InterruptedException {
    ClusterErrors.run(
        "writing to " + family.getParent(),
        () -> {
          try {
            replace(batch, cells, digest);
          } finally {
            files.delete(writing, true);
          }
        });
  }

  private void replace(ExportBatch batch, BatchCells cells, CellDigest digest)
      throws IOException, InterruptedException {
    files.mkdirs(writing);
    List<String> names = new ArrayList<>();
    try (HFileOutput output =
        new HFileOutput(
            files,
            writing,
            batch.name(),
            configuration,
            compression,
            new TreeSet<>(Bytes.BYTES_COMPARATOR),
            MAX_FILE_BYTES)) {
      cells.forEach(output::append);
      output.finish().forEach(path -> names.add(path.getName()));
    }
    Set<String> obsolete = new HashSet<>(note(batch));
    obsolete.addAll(names);
    for (String name : obsolete) {
      files.delete(new Path(family, name), false);
    }
    for (String name : names) {
      rename(new Path(writing, name), new Path(family, name));
    }
    List<String> lines = new ArrayList<>(Collections.singletonList(digest.toString()));
    lines.addAll(names);
    Path note = new Path(writing, "note");
    try (FSDataOutputStream out = files.create(note, true)) {
      out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    Path place = new Path(batches, batch.name());
    files.delete(place, false);
    rename(note, place);
    noted.add(batch.name());
  }

  private void rename(Path from, Path to) throws IOException {
    if (!files.rename(from, to)) {
      throw new IOException("cannot rename: file=" + from + ", to=" + to);
    }
  }
}
