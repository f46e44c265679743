package org.kblake.cli.command.coverage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.kblake.core.model.TimeRange;

/**
 * Cells of equal length of a range. Each shows the first state, in the order of {@link LogState},
 * that it meets.
 */
record Strip(List<LogState> cells) {

  Strip {
    cells = List.copyOf(cells);
  }

  /**
   * Divides a range into cells.
   *
   * @param spans the spans, which adjoin and divide the range
   * @param count the number of cells, at least one
   */
  static Strip of(TimeRange range, List<StateSpan> spans, int count) {
    List<LogState> cells = new ArrayList<>(Collections.nCopies(count, LogState.NOT_RECORDED));
    for (StateSpan span : spans) {
      long from = span.range().fromNanos();
      int first = cell(range, from, count);
      // If there are more cells than nanoseconds, several cells have the same nanosecond.
      while (first > 0 && begin(range, first - 1, count) == from) {
        first--;
      }
      int last = cell(range, span.range().toNanos() - 1, count);
      for (int i = first; i <= last; i++) {
        if (span.state().compareTo(cells.get(i)) < 0) {
          cells.set(i, span.state());
        }
      }
    }
    return new Strip(cells);
  }

  /** Returns the begin of a cell. The length of a long range fits an unsigned number only. */
  static long begin(TimeRange range, int cell, int count) {
    long length = range.toNanos() - range.fromNanos();
    return range.fromNanos()
        + Long.divideUnsigned(length, count) * cell
        + Long.remainderUnsigned(length, count) * cell / count;
  }

  /** Returns the cell of a time inside a range. */
  static int cell(TimeRange range, long nanos, int count) {
    double length = (double) range.toNanos() - range.fromNanos();
    int cell = (int) (((double) nanos - range.fromNanos()) / length * count);
    cell = Math.max(0, Math.min(count - 1, cell));
    // The division may be wrong by a rounding.
    while (cell > 0 && nanos < begin(range, cell, count)) {
      cell--;
    }
    while (cell < count - 1 && nanos >= begin(range, cell + 1, count)) {
      cell++;
    }
    return cell;
  }
}
