package org.kblake.cli.format.parquet;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.SchemaElements;
import org.kblake.core.internal.parquet.write.ChunkStatistics;

/**
 * The column of times. It has the minimum and maximum of each row group, so that readers can skip
 * row groups.
 */
final class TimeColumn extends FlatColumn {

  private final TimeStampNanoTZVector vector;
  private ChunkStatistics<Long> statistics = ChunkStatistics.ofNumbers(NumberKind.INT64);

  TimeColumn(FieldVector vector) {
    super(
        List.of(SchemaElements.utcNanos(SchemaElements.leaf(vector.getName(), Type.INT64, false))),
        ColumnEncoding.PLAIN);
    this.vector = (TimeStampNanoTZVector) vector;
  }

  @Override
  int put(int rows, ByteOutput page) {
    long firstNanos = Long.MAX_VALUE;
    long lastNanos = Long.MIN_VALUE;
    for (int row = 0; row < rows; row++) {
      long nanos = vector.get(row);
      firstNanos = Math.min(firstNanos, nanos);
      lastNanos = Math.max(lastNanos, nanos);
      page.putLong(nanos);
    }
    statistics.addPage(firstNanos, lastNanos, 0);
    return rows;
  }

  @Override
  Statistics takeStatistics() {
    Statistics taken = statistics.chunk();
    statistics = ChunkStatistics.ofNumbers(NumberKind.INT64);
    return taken;
  }
}
