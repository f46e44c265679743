package org.kblake.core.internal.parquet.write;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.apache.parquet.format.BoundaryOrder;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.Statistics;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.encoding.NumberKind;

/**
 * The smallest and largest values of a column chunk and of its pages. A chunk with a NaN has none,
 * because readers order NaN differently.
 *
 * @param <T> the type of the values
 */
public final class ChunkStatistics<T> {

  private final Comparator<T> order;
  private final Function<T, byte[]> plain;
  private final List<@Nullable T> mins = new ArrayList<>();
  private final List<@Nullable T> maxs = new ArrayList<>();
  private final List<Long> nulls = new ArrayList<>();
  private boolean known = true;

  ChunkStatistics(Comparator<T> order, Function<T, byte[]> plain) {
    this.order = order;
    this.plain = plain;
  }

  public static ChunkStatistics<Long> ofNumbers(NumberKind kind) {
    return new ChunkStatistics<>(Comparator.naturalOrder(), kind::plain);
  }

  public void addPage(T min, T max, long nullRows) {
    mins.add(min);
    maxs.add(max);
    nulls.add(nullRows);
  }

  void addPageOfNulls(long nullRows) {
    mins.add(null);
    maxs.add(null);
    nulls.add(nullRows);
  }

  /** Omits smallest and largest values, because the chunk has values without an order. */
  void omit() {
    known = false;
  }

  /** Returns the statistics of the whole chunk. */
  public Statistics chunk() {
    Statistics statistics = new Statistics();
    long sum = 0;
    T min = null;
    T max = null;
    for (int page = 0; page < mins.size(); page++) {
      sum += nulls.get(page);
      T low = mins.get(page);
      T high = maxs.get(page);
      if (low != null && (min == null || order.compare(low, min) < 0)) {
        min = low;
      }
      if (high != null && (max == null || order.compare(high, max) > 0)) {
        max = high;
      }
    }
    statistics.setNull_count(sum);
    if (known && min != null && max != null) {
      statistics.setMin_value(plain.apply(min));
      statistics.setMax_value(plain.apply(max));
    }
    return statistics;
  }

  /**
   * Returns the column index of the chunk. Returns null if the chunk has one page or no smallest
   * and largest values.
   */
  @Nullable ColumnIndex pages() {
    if (!known || mins.size() == 1) {
      return null;
    }
    List<Boolean> nullPages = new ArrayList<>();
    List<ByteBuffer> minBytes = new ArrayList<>();
    List<ByteBuffer> maxBytes = new ArrayList<>();
    for (int page = 0; page < mins.size(); page++) {
      T min = mins.get(page);
      T max = maxs.get(page);
      nullPages.add(min == null);
      minBytes.add(ByteBuffer.wrap(min == null ? new byte[0] : plain.apply(min)));
      maxBytes.add(ByteBuffer.wrap(max == null ? new byte[0] : plain.apply(max)));
    }
    ColumnIndex index = new ColumnIndex(nullPages, minBytes, maxBytes, boundaryOrder());
    index.setNull_counts(nulls);
    return index;
  }

  private BoundaryOrder boundaryOrder() {
    return ascending(mins) && ascending(maxs) ? BoundaryOrder.ASCENDING : BoundaryOrder.UNORDERED;
  }

  private boolean ascending(List<@Nullable T> values) {
    T before = null;
    for (T value : values) {
      if (value != null) {
        if (before != null && order.compare(before, value) > 0) {
          return false;
        }
        before = value;
      }
    }
    return true;
  }
}
