package org.kblake.hbase.cell;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.kblake.hbase.layout.TableLayout;

/**
 * Files of HBase with sorted cells. A file ends before the first row of a region, so that HBase
 * takes each file as it is, and when it is large. The caller closes it.
 */
public final class HFileOutput implements Closeable {

  private static final int BLOCK_BYTES = 64 << 10;
  private static final byte[] FAMILY = TableLayout.family();

  private final FileSystem files;
  private final Path directory;
  private final String name;
  private final Configuration configuration;
  private final HFileContext context;
  private final NavigableSet<byte[]> starts;
  private final long mostBytes;
  private final List<Path> written = new ArrayList<>();

  private HFile.@Nullable Writer writer;
  private byte @Nullable [] end;
  private long bytes;

  /**
   * @param directory the directory of the files; it exists
   * @param name the begin of the names of the files
   * @param starts the first rows of regions, by {@link Bytes#BYTES_COMPARATOR}
   * @param mostBytes the most bytes of cells in a file, before encoding
   */
  public HFileOutput(
      FileSystem files,
      Path directory,
      String name,
      Configuration configuration,
      CellCompression compression,
      NavigableSet<byte[]> starts,
      long mostBytes) {
    this.files = files;
    this.directory = directory;
    this.name = name;
    this.configuration = configuration;
    this.starts = starts;
    this.mostBytes = mostBytes;
    context =
        new HFileContextBuilder()
            .withBlockSize(BLOCK_BYTES)
            .withCompression(compression.algorithm())
            .withDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
            .withIncludesTags(false)
            .withIncludesMvcc(false)
            .withCellComparator(CellComparator.getInstance())
            .withColumnFamily(FAMILY)
            .build();
  }

  /** Returns the file system of a path. It writes no files with checksums beside others. */
  public static FileSystem fileSystem(Path path, Configuration configuration) throws IOException {
    FileSystem files = path.getFileSystem(configuration);
    files.setWriteChecksum(false);
    return files;
  }

  /** Adds a cell. Its row is behind those before. */
  public void append(byte[] row, int rowBytes, byte[] value, int valueAt, int valueBytes)
      throws IOException {
    byte[] stop = end;
    if (writer != null
        && (bytes > mostBytes
            || stop != null && Bytes.compareTo(row, 0, rowBytes, stop, 0, stop.length) >= 0)) {
      closeFile();
    }
    HFile.Writer open = writer;
    if (open == null) {
      Path path = new Path(directory, String.format(Locale.ROOT, "%s.%05d", name, written.size()));
      open =
          HFile.getWriterFactory(configuration, CacheConfig.DISABLED)
              .withPath(files, path)
              .withFileContext(context)
              .create();
      writer = open;
      written.add(path);
      end = starts.higher(Bytes.copy(row, 0, rowBytes));
      bytes = 0;
    }
    KeyValue cell =
        new KeyValue(
            row,
            0,
            rowBytes,
            FAMILY,
            0,
            FAMILY.length,
            TableLayout.qualifier(),
            0,
            0,
            TableLayout.TIME_STAMP,
            KeyValue.Type.Put,
            value,
            valueAt,
            valueBytes);
    open.append(cell);
    bytes += cell.getSerializedSize();
  }

  private void closeFile() throws IOException {
    HFile.Writer open = writer;
    writer = null;
    if (open != null) {
      open.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(System.currentTimeMillis()));
      open.close();
    }
  }

  /**
   * Ends the last file.
   *
   * @return the files, in the order of their rows
   */
  public List<Path> finish() throws IOException {
    closeFile();
    return List.copyOf(written);
  }

  /** Removes a directory and everything in it, if it exists. */
  public static void remove(FileSystem files, Path directory) throws IOException {
    if (files.exists(directory) && !files.delete(directory, true)) {
      throw new IOException("cannot remove: directory=" + directory);
    }
  }

  /** Ends the last file. Files without {@link #finish} are incomplete. */
  @Override
  public void close() throws IOException {
    closeFile();
  }
}
