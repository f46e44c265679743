package org.kblake.cli.format.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;

/** Times; with least and greatest per row group, so that readers can skip. */
final class TimeColumn implements FlatColumn {

  private final TimeStampNanoTZVector vector;
  private final ChunkPages pages;
  private final PageBytes page = new PageBytes();
  private long firstNanos = Long.MAX_VALUE;
  private long lastNanos = Long.MIN_VALUE;

  TimeColumn(FieldVector vector) {
    this.vector = (TimeStampNanoTZVector) vector;
    this.pages = new ChunkPages(Type.INT64, List.of(vector.getName()));
  }

  @Override
  public List<SchemaElement> schema() {
    SchemaElement leaf = SchemaElements.leaf(vector.getName(), Type.INT64, false);
    return List.of(SchemaElements.utcNanos(leaf));
  }

  @Override
  public void addPage(int rows) throws IOException {
    page.size = 0;
    for (int row = 0; row < rows; row++) {
      long nanos = vector.get(row);
      firstNanos = Math.min(firstNanos, nanos);
      lastNanos = Math.max(lastNanos, nanos);
      page.putLong(nanos);
    }
    pages.data(page, rows);
  }

  @Override
  public ChunkPages pages() {
    return pages;
  }

  @Override
  public void addStatistics(ColumnMetaData metaData) {
    Statistics statistics = new Statistics();
    statistics.setMin_value(bytes(firstNanos));
    statistics.setMax_value(bytes(lastNanos));
    statistics.setNull_count(0);
    metaData.setStatistics(statistics);
    firstNanos = Long.MAX_VALUE;
    lastNanos = Long.MIN_VALUE;
  }

  private static byte[] bytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }
}
