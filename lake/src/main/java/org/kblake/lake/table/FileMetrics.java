package org.kblake.lake.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Statistics;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumn;

/** What a manifest states of a file of events, from the file's footer. */
final class FileMetrics {

  /** Splits begin at least so many bytes apart, so that a file of many row groups has few. */
  private static final long SPLIT_BYTES = 32L << 20;

  private FileMetrics() {}

  /**
   * Returns the number of rows, the sizes and counts of columns, and bounds of channel and time.
   */
  static Metrics of(FileMetaData footer) {
    Map<Integer, Long> sizes = new HashMap<>();
    Map<Integer, Long> counts = new HashMap<>();
    Map<Integer, Long> nulls = new HashMap<>();
    byte[] leastChannel = null;
    byte[] greatestChannel = null;
    long leastTime = Long.MAX_VALUE;
    long greatestTime = Long.MIN_VALUE;
    boolean timesKnown = footer.getNum_rows() > 0;
    for (RowGroup rowGroup : footer.getRow_groups()) {
      for (EventColumn column : EventColumn.inOrder()) {
        ColumnMetaData chunk = rowGroup.getColumns().get(column.ordinal()).getMeta_data();
        int id = TableSchema.id(column);
        sizes.merge(id, chunk.getTotal_compressed_size(), Long::sum);
        if (chunk.getPath_in_schema().size() == 1) {
          counts.merge(id, rowGroup.getNum_rows(), Long::sum);
          nulls.merge(id, chunk.getStatistics().getNull_count(), Long::sum);
        }
      }
      Statistics channel = statistics(rowGroup, EventColumn.CHANNEL);
      leastChannel = least(leastChannel, channel.getMin_value());
      greatestChannel = greatest(greatestChannel, channel.getMax_value());
      Statistics time = statistics(rowGroup, EventColumn.TIME);
      if (time.getMin_value() == null || time.getMax_value() == null) {
        timesKnown = false;
      } else {
        leastTime = Math.min(leastTime, time(time.getMin_value()));
        greatestTime = Math.max(greatestTime, time(time.getMax_value()));
      }
    }
    Map<Integer, ByteBuffer> lower = new HashMap<>();
    Map<Integer, ByteBuffer> upper = new HashMap<>();
    if (leastChannel != null && greatestChannel != null) {
      lower.put(TableSchema.id(EventColumn.CHANNEL), ByteBuffer.wrap(leastChannel));
      upper.put(TableSchema.id(EventColumn.CHANNEL), ByteBuffer.wrap(greatestChannel));
    }
    if (timesKnown) {
      lower.put(TableSchema.id(EventColumn.TIME), bytes(leastTime));
      upper.put(TableSchema.id(EventColumn.TIME), bytes(greatestTime));
    }
    return new Metrics(footer.getNum_rows(), sizes, counts, nulls, Map.of(), lower, upper);
  }

  /** Returns the positions at which engines may split a file, in ascending order. */
  static List<Long> splitOffsets(FileMetaData footer) {
    List<Long> offsets = new ArrayList<>();
    for (RowGroup rowGroup : footer.getRow_groups()) {
      long offset = rowGroup.getFile_offset();
      if (offsets.isEmpty() || offset - offsets.get(offsets.size() - 1) >= SPLIT_BYTES) {
        offsets.add(offset);
      }
    }
    return offsets;
  }

  private static Statistics statistics(RowGroup rowGroup, EventColumn column) {
    return rowGroup.getColumns().get(column.ordinal()).getMeta_data().getStatistics();
  }

  private static byte @Nullable [] least(byte @Nullable [] a, byte @Nullable [] b) {
    return a == null || (b != null && Arrays.compareUnsigned(b, a) < 0) ? b : a;
  }

  private static byte @Nullable [] greatest(byte @Nullable [] a, byte @Nullable [] b) {
    return a == null || (b != null && Arrays.compareUnsigned(b, a) > 0) ? b : a;
  }

  private static long time(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private static ByteBuffer bytes(long value) {
    return Conversions.toByteBuffer(Types.LongType.get(), value);
  }
}
