package org.kblake.hbase.restore;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.serializer.Serialization;
import org.apache.hadoop.io.serializer.WritableSerialization;
import org.jspecify.annotations.Nullable;
import org.kblake.hbase.layout.EventKey;

/**
 * Rows of a table, sorted by group and log order on a local disk. First all rows are added, then
 * they are sorted once, then they are read. The caller closes it. For one thread.
 */
final class SortedCells implements Closeable {

  private static final int SORT_FACTOR = 64;
  private static final int BUFFER_BYTES = 1 << 17;

  private final Configuration configuration;
  private final FileSystem files;
  private final Path unsorted;
  private final Path sorted;

  private SequenceFile.@Nullable Writer writer;
  private SequenceFile.@Nullable Reader reader;
  private final BytesWritable key = new BytesWritable();
  private final BytesWritable value = new BytesWritable();
  private byte[] lastRow = {};
  private long position;

  /**
   * @param directory an empty directory for temporary files
   * @param memoryBytes the memory of the sort
   */
  SortedCells(java.nio.file.Path directory, Configuration site, long memoryBytes)
      throws IOException {
    configuration = new Configuration(site);
    // The others need further libraries.
    configuration.setClass(
        CommonConfigurationKeys.IO_SERIALIZATIONS_KEY,
        WritableSerialization.class,
        Serialization.class);
    // Sums of the bytes of temporary files would take a fifth of the time.
    configuration.setClass("fs.file.impl", RawLocalFileSystem.class, FileSystem.class);
    configuration.setBoolean("fs.file.impl.disable.cache", true);
    configuration.setInt("io.file.buffer.size", BUFFER_BYTES);
    configuration.setLong("io.sort.mb", Math.max(1, memoryBytes >> 20));
    configuration.setInt("io.sort.factor", SORT_FACTOR);
    files = new RawLocalFileSystem();
    files.initialize(directory.toUri(), configuration);
    unsorted = new Path(directory.resolve("unsorted").toUri());
    sorted = new Path(directory.resolve("sorted").toUri());
    writer =
        SequenceFile.createWriter(
            configuration,
            SequenceFile.Writer.file(unsorted),
            SequenceFile.Writer.keyClass(BytesWritable.class),
            SequenceFile.Writer.valueClass(BytesWritable.class),
            SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE));
  }

  /** Adds a row. */
  void add(byte[] row, byte[] cell) throws IOException {
    byte[] order = order(EventKey.of(row));
    key.set(order, 0, order.length);
    byte[] both =
        ByteBuffer.allocate(2 + row.length + cell.length)
            .putShort((short) row.length)
            .put(row)
            .put(cell)
            .array();
    value.set(both, 0, both.length);
    SequenceFile.Writer open = writer;
    if (open == null) {
      throw new IllegalStateException("rows are sorted already");
    }
    open.append(key, value);
  }

  private static byte[] order(EventKey event) {
    byte[] group = event.channel().group().toString().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(group.length + 1 + 8 + 4 + 8 + 4)
        .put(group)
        .put((byte) 0)
        .putLong(event.stamp())
        .putInt((int) event.offset())
        .putLong(event.timeNanos() + event.latenessNanos() ^ Long.MIN_VALUE)
        .putInt(event.tie())
        .array();
  }

  /**
   * Sorts all rows.
   *
   * @param step is called from time to time
   */
  void sort(Runnable step) throws IOException {
    SequenceFile.Writer open = writer;
    writer = null;
    if (open != null) {
      open.close();
    }
    SequenceFile.Sorter sorter =
        new SequenceFile.Sorter(
            files,
            new BytesWritable.Comparator(),
            BytesWritable.class,
            BytesWritable.class,
            configuration);
    sorter.setProgressable(step::run);
    sorter.sort(new Path[] {unsorted}, sorted, true);
    reader = new SequenceFile.Reader(configuration, SequenceFile.Reader.file(sorted));
  }

  /** Returns the position of the last row that was returned. */
  long position() {
    return position;
  }

  /** Continues at a position. */
  void seek(long position) throws IOException {
    open().seek(position);
    lastRow = new byte[0];
  }

  private SequenceFile.Reader open() {
    SequenceFile.Reader open = reader;
    if (open == null) {
      throw new IllegalStateException("rows are not sorted");
    }
    return open;
  }

  /**
   * Returns the next row and its value; null at the end. A row that was read twice, because several
   * files have it, is returned once.
   */
  byte @Nullable [][] next() throws IOException {
    long start = open().getPosition();
    while (open().next(key, value)) {
      ByteBuffer both = ByteBuffer.wrap(value.getBytes(), 0, value.getLength());
      byte[] row = new byte[both.getShort()];
      both.get(row);
      if (!Arrays.equals(row, lastRow)) {
        lastRow = row;
        byte[] cell = new byte[both.remaining()];
        both.get(cell);
        position = start;
        return new byte[][] {row, cell};
      }
      start = open().getPosition();
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    SequenceFile.Writer writing = writer;
    SequenceFile.Reader reading = reader;
    writer = null;
    reader = null;
    if (writing != null) {
      writing.close();
    }
    if (reading != null) {
      reading.close();
    }
  }
}
