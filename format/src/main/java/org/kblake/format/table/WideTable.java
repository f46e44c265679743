package org.kblake.format.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeMask;
import org.kblake.query.GridReader;
import org.kblake.query.answer.ChannelInfo;

/**
 * Points of a grid in Arrow vectors: times, and the values of each channel. There is no Arrow
 * schema, because creating the first schema would delay the first line of text too much.
 */
public final class WideTable implements AutoCloseable {

  private final List<FieldVector> vectors;
  private final @Nullable TimeMask times;
  private final List<WideColumn> columns = new ArrayList<>();
  private boolean hasValues;

  private WideTable(List<FieldVector> vectors, @Nullable TimeMask times) {
    this.vectors = vectors;
    this.times = times;
    for (int i = 1; i < vectors.size(); i++) {
      columns.add(WideColumn.of(vectors.get(i), i - 1));
    }
  }

  /** Creates an empty table. The caller closes it. */
  public static WideTable of(List<ChannelInfo> infos, BufferAllocator allocator) {
    return of(infos, null, allocator);
  }

  /**
   * Creates an empty table of the points at some times. The caller closes it.
   *
   * @param times the times; null for all
   */
  public static WideTable of(
      List<ChannelInfo> infos, @Nullable TimeMask times, BufferAllocator allocator) {
    Set<String> names = new HashSet<>();
    Set<String> repeated = new HashSet<>();
    for (ChannelInfo info : infos) {
      if (!names.add(info.channel().name())) {
        repeated.add(info.channel().name());
      }
    }
    List<FieldVector> vectors = new ArrayList<>();
    ArrowType nanos = new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC");
    vectors.add(new Field("time", FieldType.notNullable(nanos), null).createVector(allocator));
    for (ChannelInfo info : infos) {
      Channel channel = info.channel();
      // a name that several groups record is prefixed by the group
      String name = repeated.contains(channel.name()) ? channel.toString() : channel.name();
      vectors.add(WideColumn.field(name, info).createVector(allocator));
    }
    return new WideTable(vectors, times);
  }

  /** Returns the vector of times, then a vector of values for each channel. */
  public List<FieldVector> vectors() {
    return vectors;
  }

  /**
   * Replaces the rows by those of the next points of the grid.
   *
   * @param most the maximum number of rows
   * @return false if the grid has no more points
   */
  public boolean fill(GridReader grid, int most) throws IOException {
    TimeStampNanoTZVector points = (TimeStampNanoTZVector) vectors.get(0);
    WideColumn.clear(vectors, most);
    int row = 0;
    while (row < most && grid.next()) {
      if (times != null && !times.contains(grid.timeNanos())) {
        continue;
      }
      points.setSafe(row, grid.timeNanos());
      for (WideColumn each : columns) {
        each.set(row, grid);
      }
      row++;
    }
    for (FieldVector vector : vectors) {
      vector.setValueCount(row);
    }
    for (int i = 1; !hasValues && i < vectors.size(); i++) {
      hasValues = vectors.get(i).getNullCount() < row;
    }
    return row > 0;
  }

  /** Returns whether any row so far has a value. */
  public boolean hasValues() {
    return hasValues;
  }

  @Override
  public void close() {
    vectors.forEach(FieldVector::close);
  }
}
