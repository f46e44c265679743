package org.kblake.lake.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.InternalData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileAppender;
import org.kblake.core.model.Group;

/** The data files of tables with rows of all groups. A file has rows of one group. */
public final class RowFile {

  /** All engines read it, and it needs no library of the system. */
  private static final String CODEC = "gzip";

  private RowFile() {}

  /** Fills rows of a file. */
  @FunctionalInterface
  public interface Rows {
    void write(FileAppender<Record> into) throws IOException;
  }

  /**
   * Writes a data file.
   *
   * @param path its path in the table
   * @return the file for a commit
   */
  public static DataFile write(LakeTable table, String path, Group group, Rows rows)
      throws IOException {
    Table of = table.table();
    FileAppender<Record> appender =
        InternalData.write(FileFormat.PARQUET, of.io().newOutputFile(path))
            .schema(of.schema())
            .set(TableProperties.PARQUET_COMPRESSION, CODEC)
            .build();
    try (appender) {
      rows.write(appender);
    }
    PartitionSpec spec = of.spec();
    Record partition = GenericRecord.create(spec.partitionType());
    partition.set(0, group.toString());
    return DataFiles.builder(spec)
        .withPartition(partition)
        .withPath(path)
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(appender.length())
        .withMetrics(appender.metrics())
        .withSplitOffsets(appender.splitOffsets())
        .build();
  }

  /** Returns the rows of a data file, in its order. */
  public static List<Record> read(LakeTable table, String path) throws IOException {
    Table of = table.table();
    List<Record> rows = new ArrayList<>();
    try (CloseableIterable<Record> found =
        InternalData.read(FileFormat.PARQUET, of.io().newInputFile(path))
            .project(of.schema())
            .build()) {
      found.forEach(rows::add);
    }
    return rows;
  }

  /** Returns the group of a data file. */
  public static Group groupOf(DataFile file) {
    return Group.parse(file.partition().get(0, String.class));
  }
}
