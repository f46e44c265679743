package org.kblake.hbase.cell;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.kblake.hbase.layout.TableLayout;
import org.kblake.hbase.stop.StopRequest;

/** The rows of files of HBase that were not loaded yet. */
public final class HFileRows {

  private HFileRows() {}

  /** Receives rows. */
  @FunctionalInterface
  public interface Consumer {
    /** Takes the key and the value of a row. The arrays are new. */
    void take(byte[] row, byte[] value) throws IOException, InterruptedException;
  }

  /** Returns the files of a directory that an export wrote. */
  public static List<Path> files(Path directory, Configuration configuration) throws IOException {
    Path family = new Path(directory, Bytes.toString(TableLayout.family()));
    List<Path> files = new ArrayList<>();
    for (FileStatus each : HFileOutput.fileSystem(family, configuration).listStatus(family)) {
      if (each.isFile() && !each.getPath().getName().startsWith(".")) {
        files.add(each.getPath());
      }
    }
    files.sort(null);
    return files;
  }

  /** Returns the number of rows of the files of a directory. */
  public static long count(Path directory, Configuration configuration) throws IOException {
    long rows = 0;
    for (Path each : files(directory, configuration)) {
      FileSystem files = HFileOutput.fileSystem(each, configuration);
      try (HFile.Reader reader =
          HFile.createReader(files, each, CacheConfig.DISABLED, true, configuration)) {
        rows += reader.getEntries();
      }
    }
    return rows;
  }

  /** Reads all rows of a file in their order. */
  public static void read(Path file, Configuration configuration, Consumer consumer)
      throws IOException, InterruptedException {
    FileSystem files = HFileOutput.fileSystem(file, configuration);
    try (HFile.Reader reader =
            HFile.createReader(files, file, CacheConfig.DISABLED, true, configuration);
        HFileScanner scanner = reader.getScanner(configuration, false, false)) {
      if (!scanner.seekTo()) {
        return;
      }
      do {
        Cell cell = scanner.getCell();
        consumer.take(CellUtil.cloneRow(cell), CellUtil.cloneValue(cell));
        StopRequest.check();
      } while (scanner.next());
    }
  }
}
