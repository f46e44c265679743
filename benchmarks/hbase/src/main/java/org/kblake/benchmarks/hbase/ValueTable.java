package org.kblake.benchmarks.hbase;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of one region. Each value is a row with the channel and the nanoseconds as its key. All
 * cells have the same time stamp, which every encoding but NONE stores in few bits.
 */
final class ValueTable {

  private static final byte[] FAMILY = Bytes.toBytes("v");
  private static final byte[] NONE = new byte[0];
  private static final long TIME_STAMP = 1;
  private static final int ROWS_AT_ONCE = 10_000;
  private static final int CHANNEL_AT = 0;
  private static final int NANOS_AT = 4;
  private static final int BITS_AT = 12;
  private static final int VALUE_BYTES = 20;

  private final HBaseTestingUtility hbase;
  private final TableName name;

  /** A channel and a range of nanoseconds, the first included, the last not. */
  record Range(int channel, long fromNanos, long toNanos) {}

  /** The result of a read. */
  record Answer(double millis, long values, long sum) {}

  ValueTable(HBaseTestingUtility hbase, String name) {
    this.hbase = hbase;
    this.name = TableName.valueOf(name);
  }

  void create(String encoding, String compression) throws IOException {
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setDataBlockEncoding(DataBlockEncoding.valueOf(encoding))
                        .setCompressionType(Compression.Algorithm.valueOf(compression))
                        .build())
                .build());
  }

  void drop() throws IOException {
    hbase.getAdmin().disableTable(name);
    hbase.getAdmin().deleteTable(name);
  }

  private static byte[] prefix(int channel) {
    return Bytes.toBytes("JP:CHANNEL:" + channel + "\0");
  }

  private static byte[] key(int channel, long nanos) {
    return Bytes.add(prefix(channel), Bytes.toBytes(nanos));
  }

  /**
   * Puts the values of a file: channel (int), nanoseconds (long), bits (long), big endian.
   *
   * @param bytes the number of bytes of a value, 4 or 8
   * @param writeAhead whether the write-ahead log is written
   * @param writers the number of threads that put values
   * @return milliseconds
   */
  double put(Path file, int bytes, boolean writeAhead, int writers) throws Exception {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer values = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      List<Callable<Long>> parts = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        int part = writer;
        parts.add(() -> put(values, bytes, writeAhead, part, writers));
      }
      return run(parts).millis();
    }
  }

  private long put(ByteBuffer values, int bytes, boolean writeAhead, int part, int parts)
      throws IOException {
    Durability durability = writeAhead ? Durability.USE_DEFAULT : Durability.SKIP_WAL;
    try (BufferedMutator mutator = hbase.getConnection().getBufferedMutator(name)) {
      for (int at = 0; at < values.limit(); at += VALUE_BYTES) {
        int channel = values.getInt(at + CHANNEL_AT);
        if (channel % parts == part) {
          long bits = values.getLong(at + BITS_AT);
          byte[] value = bytes == Integer.BYTES ? Bytes.toBytes((int) bits) : Bytes.toBytes(bits);
          mutator.mutate(
              new Put(key(channel, values.getLong(at + NANOS_AT)))
                  .addColumn(FAMILY, NONE, TIME_STAMP, value)
                  .setDurability(durability));
        }
      }
    }
    return 0;
  }

  /** Writes all values that are in memory to files. Returns milliseconds. */
  double flush() throws IOException {
    long begin = System.nanoTime();
    for (HRegion region : hbase.getMiniHBaseCluster().getRegions(name)) {
      region.flush(true);
    }
    return millisSince(begin);
  }

  /** Merges all files into one. Returns milliseconds. */
  double compact() throws IOException {
    long begin = System.nanoTime();
    for (HRegion region : hbase.getMiniHBaseCluster().getRegions(name)) {
      region.compact(true);
    }
    return millisSince(begin);
  }

  /** Returns the files that reads use. */
  List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (HRegion region : hbase.getMiniHBaseCluster().getRegions(name)) {
      for (HStore store : region.getStores()) {
        for (HStoreFile file : store.getStorefiles()) {
          files.add(Path.of(file.getPath().toUri().getPath()));
        }
      }
    }
    return files;
  }

  /** Removes the blocks of the table from the cache of blocks. */
  void forget() throws IOException {
    hbase.getAdmin().clearBlockCache(name);
  }

  /** Reads ranges, each thread every n-th of them. */
  Answer read(List<Range> ranges, int readers) throws Exception {
    List<Callable<Long>> parts = new ArrayList<>();
    for (int reader = 0; reader < readers; reader++) {
      int part = reader;
      parts.add(
          () -> {
            long values = 0;
            for (int i = part; i < ranges.size(); i += readers) {
              values += read(ranges.get(i), false).values();
            }
            return values;
          });
    }
    return run(parts);
  }

  /** Reads ranges, and sums their times and values. */
  Answer sum(List<Range> ranges) throws IOException {
    long begin = System.nanoTime();
    long values = 0;
    long sum = 0;
    for (Range range : ranges) {
      Answer answer = read(range, true);
      values += answer.values();
      sum += answer.sum();
    }
    return new Answer(millisSince(begin), values, sum);
  }

  private Answer read(Range range, boolean withSum) throws IOException {
    long values = 0;
    long sum = 0;
    Scan scan =
        new Scan()
            .withStartRow(key(range.channel(), range.fromNanos()))
            .withStopRow(key(range.channel(), range.toNanos()))
            .setCaching(ROWS_AT_ONCE);
    try (Table table = hbase.getConnection().getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        values++;
        if (withSum) {
          sum += summand(range.channel(), row);
        }
      }
    }
    return new Answer(0, values, sum);
  }

  private static long summand(int channel, Result row) {
    long nanos = Bytes.toLong(row.getRow(), row.getRow().length - Long.BYTES);
    Cell cell = row.rawCells()[0];
    long bits =
        cell.getValueLength() == Integer.BYTES
            ? Bytes.toInt(cell.getValueArray(), cell.getValueOffset())
            : Bytes.toLong(cell.getValueArray(), cell.getValueOffset());
    return (nanos * 31 + bits) * 31 + channel;
  }

  private static Answer run(List<Callable<Long>> parts) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(parts.size());
    try {
      long begin = System.nanoTime();
      long values = 0;
      for (Future<Long> part : executor.invokeAll(parts)) {
        values += part.get();
      }
      return new Answer(millisSince(begin), values, 0);
    } finally {
      executor.shutdown();
    }
  }

  private static double millisSince(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }
}
