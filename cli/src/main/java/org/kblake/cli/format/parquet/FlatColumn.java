package org.kblake.cli.format.parquet;

import java.io.IOException;
import java.util.List;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.SchemaElement;

/** A column of the file, filled from the vectors of the answer batch by batch. */
interface FlatColumn {

  /** The column as a footer's schema lists it: depth first. */
  List<SchemaElement> schema();

  /** Adds the rows that the vectors have now as a page. */
  void addPage(int rows) throws IOException;

  /** The pages of the row group that is being made. */
  ChunkPages pages();

  /** Adds to the footer's entry what is known of the values; forgets it. */
  default void addStatistics(ColumnMetaData metaData) {}
}
