package org.kblake.query.internal.rollup;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.rollup.RollupColumn;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.core.model.TimeRange;

/**
 * The events of one channel in ranges of a block, divided by time into rows of a rollup and times
 * whose events are read. In each bin the order of the ranges is log order.
 *
 * <p>A row is used if its time lies in one bin, and if the ranges have all segments with events of
 * it. The rows of a bin must not be interleaved in the log: the last number of a row comes before
 * the first number of the next one. Otherwise the bin's events are read. There are no events beside
 * the rows, because each event that is no stray is in a row.
 */
public final class RollupRanges {

  private final RollupRows rows;
  private final long widthNanos;
  private final Bins bins;
  private final List<Range> ranges = new ArrayList<>();

  /**
   * The bins of a question.
   *
   * @param fromNanos the begin of the first bin
   * @param toNanos the end of the last bin, not included
   * @param stepNanos the width of a bin
   */
  public record Bins(long fromNanos, long toNanos, long stepNanos) {}

  /**
   * A range.
   *
   * @param fromRow the first row
   * @param toRow the row after the last
   * @param events the time of the events to read in place of the rows; null if the rows are used
   * @param firstSegment the first segment that has such events
   * @param lastSegment the last segment that has such events
   */
  public record Range(
      int fromRow, int toRow, @Nullable TimeRange events, int firstSegment, int lastSegment) {}

  /**
   * @param rows all rows whose times meet the bins
   * @param order the rows that take the place of events for held values, and then all ranges are in
   *     log order; null if held values are not wanted
   */
  RollupRanges(
      RollupRows rows,
      long widthNanos,
      BlockRanges blockRanges,
      Bins bins,
      @Nullable HeldOrder order) {
    this.rows = rows;
    this.widthNanos = widthNanos;
    this.bins = bins;
    divide(blockRanges, order);
  }

  private void divide(BlockRanges blockRanges, @Nullable HeldOrder order) {
    BitSet used = usedRows(blockRanges.segments(), order);
    int row = 0;
    if (order != null) {
      int first = used.nextSetBit(0);
      row = first < 0 ? rows.count() : first;
      addBefore(row, order.lastBefore());
    }
    while (row < rows.count()) {
      if (!isVisible(row)) {
        row++;
        continue;
      }
      int end = row + 1;
      while (end < rows.count() && isVisible(end) && used.get(end) == used.get(row)) {
        end++;
      }
      ranges.add(used.get(row) ? new Range(row, end, null, 0, 0) : events(row, end));
      row = end;
    }
  }

  private BitSet usedRows(int[] segments, @Nullable HeldOrder order) {
    BitSet interleaved = interleavedBins();
    BitSet used = new BitSet();
    for (int row = 0; row < rows.count(); row++) {
      if (isVisible(row)
          && (order == null || order.isUsed(row))
          && isUsed(row, segments, interleaved)) {
        used.set(row);
      }
    }
    return used;
  }

  /** Adds the events before a row: those before the bins, and those of the rows before it. */
  private void addBefore(int row, int lastBefore) {
    long last = lastBefore;
    for (int before = 0; before < row; before++) {
      last = Math.max(last, rows.integer(RollupColumn.LAST_SEGMENT, before));
    }
    if (last >= 0) {
      TimeRange times =
          new TimeRange(Long.MIN_VALUE, row < rows.count() ? begin(row) : bins.toNanos());
      ranges.add(new Range(0, row, times, 0, (int) last));
    }
  }

  /** Returns the bins with rows of which one has numbers before the end of another in the log. */
  private BitSet interleavedBins() {
    BitSet interleaved = new BitSet();
    int before = -1;
    for (int row = 0; row < rows.count(); row++) {
      if (rows.numbers(row) == 0) {
        continue;
      }
      if (before >= 0
          && isVisible(before)
          && isVisible(row)
          && rows.integer(RollupColumn.LAST_PLACE, before)
              >= rows.integer(RollupColumn.FIRST_PLACE, row)) {
        int first = binOf(begin(row));
        int last = binOf(end(before) - 1);
        if (first <= last) {
          interleaved.set(first, last + 1);
        }
      }
      before = row;
    }
    return interleaved;
  }

  private boolean isVisible(int row) {
    return begin(row) < end(row);
  }

  private boolean isUsed(int row, int[] segments, BitSet interleaved) {
    int bin = binOf(begin(row));
    return end(row) - begin(row) == widthNanos
        && binOf(end(row) - 1) == bin
        && !interleaved.get(bin)
        && areRead(row, segments);
  }

  /** Returns whether all segments from the row's first to its last one are read. */
  private boolean areRead(int row, int[] segments) {
    long first = rows.integer(RollupColumn.FIRST_SEGMENT, row);
    long last = rows.integer(RollupColumn.LAST_SEGMENT, row);
    for (int i = 0; i < segments.length; i += 2) {
      if (segments[i] <= first && last < segments[i + 1]) {
        return true;
      }
    }
    return false;
  }

  private Range events(int fromRow, int toRow) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (int row = fromRow; row < toRow; row++) {
      first = Math.min(first, rows.integer(RollupColumn.FIRST_SEGMENT, row));
      last = Math.max(last, rows.integer(RollupColumn.LAST_SEGMENT, row));
    }
    TimeRange times = new TimeRange(begin(fromRow), end(toRow - 1));
    return new Range(fromRow, toRow, times, (int) first, (int) last);
  }

  /** Returns the begin of the part of a row's time that is in the bins. */
  private long begin(int row) {
    return Math.max(bins.fromNanos(), rows.integer(RollupColumn.BIN, row));
  }

  /** Returns the end of the part of a row's time that is in the bins, not included. */
  private long end(int row) {
    return Math.min(bins.toNanos(), rows.integer(RollupColumn.BIN, row) + widthNanos);
  }

  private int binOf(long nanos) {
    return (int) Long.divideUnsigned(nanos - bins.fromNanos(), bins.stepNanos());
  }

  /**
   * Returns whether to read the ranges costs less than half of what it costs to read all events.
   *
   * @param pageRows the number of events that are read for a range beside its own
   */
  boolean isWorth(long pageRows) {
    long all = 0;
    long read = 0;
    for (Range range : ranges) {
      long events = 0;
      for (int row = range.fromRow; row < range.toRow; row++) {
        events += rows.integer(RollupColumn.COUNT, row);
      }
      all += events;
      read += range.events == null ? 0 : events + pageRows;
    }
    return 2 * read <= all;
  }

  /** Returns the rows of the rollup. */
  public RollupRows rows() {
    return rows;
  }

  /** Returns the width of a row, nanoseconds. */
  public long widthNanos() {
    return widthNanos;
  }

  /** Returns the ranges by time. */
  public List<Range> ranges() {
    return ranges;
  }
}
