package org.kblake.hbase.destination;

import java.io.IOException;
import java.util.NavigableSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.Bytes;
import org.kblake.hbase.cell.BatchCells;
import org.kblake.hbase.cell.CellCompression;
import org.kblake.hbase.cell.CellDigest;
import org.kblake.hbase.cell.HFileOutput;
import org.kblake.hbase.cluster.ClusterErrors;
import org.kblake.hbase.cluster.ClusterTable;
import org.kblake.hbase.layout.TableLayout;

/**
 * A table. The files of a batch are written to a directory that the servers of the regions see,
 * loaded, and noted in the table. Each cell has one key, so that to load a batch twice changes
 * nothing.
 */
public final class TableTarget implements BatchTarget {

  private static final long MAX_FILE_BYTES = 8L << 30;

  private final ClusterTable table;
  private final Configuration configuration;
  private final Path staging;
  private final CellCompression compression;

  /**
   * @param table an existing table
   * @param staging the directory for files until they are loaded
   */
  public TableTarget(ClusterTable table, Configuration configuration, Path staging)
      throws IOException {
    this.table = table;
    this.configuration = configuration;
    this.staging = staging;
    compression = table.compression();
  }

  @Override
  public boolean has(ExportBatch batch, CellDigest digest)
      throws IOException, InterruptedException {
    // No cell is removed from a table.
    return digest.cells() == 0
        || ClusterErrors.explained(
            "reading " + table.name(), () -> digest.isText(table.mark(batch.name())));
  }

  @Override
  public void write(ExportBatch batch, BatchCells cells, CellDigest digest)
      throws IOException, InterruptedException {
    Path directory = new Path(staging, "kblake-" + batch.name());
    FileSystem files =
        ClusterErrors.explained(
            "opening " + staging, () -> HFileOutput.fileSystem(staging, configuration));
    if (digest.cells() > 0) {
      ClusterErrors.explained(
          "writing to " + staging,
          () -> {
            HFileOutput.remove(files, directory);
            Path family = new Path(directory, Bytes.toString(TableLayout.family()));
            files.mkdirs(family);
            NavigableSet<byte[]> starts = table.regionStarts();
            try (HFileOutput output =
                new HFileOutput(
                    files, family, "events", configuration, compression, starts, MAX_FILE_BYTES)) {
              cells.forEach(output::append);
              return output.finish();
            }
          });
      ClusterErrors.run(
          "bulk load into " + table.name(),
          () -> {
            table.load(directory);
            HFileOutput.remove(files, directory);
          });
    }
    ClusterErrors.run(
        "writing to " + table.name(),
        () -> {
          table.setMark(batch.name(), digest.toString());
        });
  }
}
