package org.kblake.format.parquet;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.DeltaEncoding;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.SchemaElements;
import org.kblake.core.internal.parquet.write.ChunkStatistics;

/**
 * The column of times. It has the minimum and maximum of each row group, so that readers can skip
 * row groups.
 */
final class TimeColumn extends FlatColumn {

  private final VectorNumbers numbers;
  private final DeltaEncoding delta = new DeltaEncoding();
  private ChunkStatistics<Long> statistics = ChunkStatistics.ofNumbers(NumberKind.INT64);

  TimeColumn(FieldVector vector) {
    super(
        List.of(SchemaElements.utcNanos(SchemaElements.leaf(vector.getName(), Type.INT64, false))));
    numbers = new VectorNumbers(vector);
  }

  @Override
  ColumnEncoding put(int rows, ByteOutput page) {
    long[] nanos = numbers.read(rows);
    NumberKind.Range range = NumberKind.INT64.range(nanos, 0, rows);
    statistics.addPage(range.minKey(), range.maxKey(), 0);
    delta.encode(nanos, 0, rows, false, page);
    return ColumnEncoding.DELTA;
  }

  @Override
  Statistics takeStatistics() {
    Statistics taken = statistics.chunk();
    statistics = ChunkStatistics.ofNumbers(NumberKind.INT64);
    return taken;
  }
}
