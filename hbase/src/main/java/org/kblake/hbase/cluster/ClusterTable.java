package org.kblake.hbase.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.hbase.cell.CellCompression;
import org.kblake.hbase.cell.CellDigest;
import org.kblake.hbase.layout.TableLayout;
import org.kblake.hbase.stop.StopRequest;

/** A table of events on a cluster. */
public final class ClusterTable {

  private static final int ROWS_AT_ONCE = 10_000;
  private static final byte[] FAMILY = TableLayout.family();

  private final Cluster cluster;
  private final TableName name;

  ClusterTable(Cluster cluster, TableName name) {
    this.cluster = cluster;
    this.name = name;
  }

  /** Returns the name of the table. */
  public String name() {
    return name.getNameAsString();
  }

  /**
   * Creates the table, if it does not exist.
   *
   * @param compression the compression of a new table; null for gz
   * @param splits the first rows of regions, without the first region
   * @throws RequestException if a table of this name has another layout or compression
   */
  public void create(@Nullable CellCompression compression, List<byte[]> splits)
      throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      if (!admin.tableExists(name)) {
        CellCompression chosen = compression == null ? CellCompression.GZ : compression;
        try {
          admin.createTable(descriptor(chosen), splits.toArray(byte[][]::new));
        } catch (TableExistsException e) {
          // Another export created it at the same time.
        }
      }
    }
    CellCompression existing = compression();
    if (compression != null && compression != existing) {
      throw new RequestException(
          "the table has another compression: table="
              + name
              + ", compression="
              + existing
              + "; leave out --compression, or name another table");
    }
  }

  private TableDescriptor descriptor(CellCompression compression) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                .setCompressionType(compression.algorithm())
                // All reads are ranges of rows.
                .setBloomFilterType(BloomType.NONE)
                .setMaxVersions(1)
                .build())
        .setValue(TableLayout.ATTRIBUTE, TableLayout.VERSION)
        .build();
  }

  /** Returns whether the table exists. */
  public boolean exists() throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      return admin.tableExists(name);
    }
  }

  /**
   * Checks that the table exists in the layout of kblake.
   *
   * @throws RequestException if it does not
   */
  public void check() throws IOException {
    var unused = compression();
  }

  /**
   * Returns the compression of the table.
   *
   * @throws RequestException if the table does not exist, or has another layout
   */
  public CellCompression compression() throws IOException {
    if (!exists()) {
      throw new RequestException("no such table: " + name);
    }
    try (Table table = cluster.connection().getTable(name)) {
      TableDescriptor descriptor = table.getDescriptor();
      String version = descriptor.getValue(TableLayout.ATTRIBUTE);
      ColumnFamilyDescriptor family = descriptor.getColumnFamily(FAMILY);
      if (family == null || !TableLayout.VERSION.equals(version)) {
        throw new RequestException(
            "the table has another layout: table="
                + name
                + ", "
                + TableLayout.ATTRIBUTE
                + "="
                + (version == null ? "none" : version)
                + ", expected "
                + TableLayout.VERSION
                + "; name another table");
      }
      Compression.Algorithm algorithm = family.getCompressionType();
      for (CellCompression each : CellCompression.values()) {
        if (each.algorithm() == algorithm) {
          return each;
        }
      }
      throw new RequestException(
          "the table has a compression that kblake cannot write: table="
              + name
              + ", compression="
              + algorithm);
    }
  }

  /** Returns the first rows of the regions. */
  public NavigableSet<byte[]> regionStarts() throws IOException {
    NavigableSet<byte[]> starts = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    try (RegionLocator regions = cluster.connection().getRegionLocator(name)) {
      starts.addAll(List.of(regions.getStartKeys()));
    }
    return starts;
  }

  /**
   * Loads files. HBase takes them over.
   *
   * @param directory a directory with a directory of the column family
   */
  public void load(Path directory) throws IOException {
    var unused = BulkLoadHFiles.create(cluster.configuration()).bulkLoad(name, directory);
  }

  /** Returns the text of a row that is no event; empty if there is none. */
  public String mark(String markName) throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      byte[] value =
          table.get(new Get(TableLayout.mark(markName))).getValue(FAMILY, TableLayout.qualifier());
      return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }
  }

  /** Writes the text of a row that is no event. */
  public void setMark(String markName, String text) throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      table.put(
          new Put(TableLayout.mark(markName))
              .addColumn(FAMILY, TableLayout.qualifier(), text.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /**
   * Returns the number of events that exports noted, about as many as the table has. It is for the
   * progress of a read.
   */
  public long markedEvents() throws IOException, InterruptedException {
    long[] events = {0};
    Scan marks =
        new Scan().withStartRow(TableLayout.mark("")).withStopRow(TableLayout.firstEvent());
    scan(
        marks,
        (row, value) -> events[0] += CellDigest.cellsOf(new String(value, StandardCharsets.UTF_8)));
    return events[0];
  }

  /** Receives the rows of a scan. */
  @FunctionalInterface
  public interface Rows {
    /** Takes the key and the value of a row. The arrays are new. */
    void take(byte[] row, byte[] value) throws IOException, InterruptedException;
  }

  /** Reads all events in the order of their rows. */
  public void scan(Rows rows) throws IOException, InterruptedException {
    scan(new Scan().withStartRow(TableLayout.firstEvent()), rows);
  }

  /**
   * Reads the events of some ranges of rows, in the order of the rows.
   *
   * @param ranges pairs of a first row and the row behind the last
   */
  public void scan(List<byte[][]> ranges, Rows rows) throws IOException, InterruptedException {
    List<MultiRowRangeFilter.RowRange> wanted = new ArrayList<>();
    for (byte[][] each : ranges) {
      wanted.add(new MultiRowRangeFilter.RowRange(each[0], true, each[1], false));
    }
    if (!wanted.isEmpty()) {
      scan(
          new Scan()
              .withStartRow(ranges.get(0)[0])
              .withStopRow(ranges.get(ranges.size() - 1)[1])
              .setFilter(new MultiRowRangeFilter(wanted)),
          rows);
    }
  }

  private void scan(Scan scan, Rows rows) throws IOException, InterruptedException {
    scan.addFamily(FAMILY).setCaching(ROWS_AT_ONCE).setCacheBlocks(false);
    String what = "reading " + name;
    try (Table table = cluster.connection().getTable(name);
        ResultScanner results = ClusterErrors.ofCluster(what, () -> table.getScanner(scan))) {
      while (true) {
        Result result = ClusterErrors.ofCluster(what, results::next);
        if (result == null) {
          return;
        }
        for (Cell cell : result.rawCells()) {
          rows.take(CellUtil.cloneRow(cell), CellUtil.cloneValue(cell));
        }
        StopRequest.check();
      }
    }
  }

  /** Returns the values of rows, in their order; null for a row that does not exist. */
  public List<byte @Nullable []> values(List<byte[]> keys) throws IOException {
    List<Get> gets = new ArrayList<>();
    keys.forEach(key -> gets.add(new Get(key)));
    List<byte @Nullable []> values = new ArrayList<>();
    try (Table table = cluster.connection().getTable(name)) {
      for (Result each : table.get(gets)) {
        values.add(each.getValue(FAMILY, TableLayout.qualifier()));
      }
    }
    return values;
  }
}
