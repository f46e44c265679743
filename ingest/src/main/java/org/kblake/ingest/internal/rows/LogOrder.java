package org.kblake.ingest.internal.rows;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.columns.MergeHeap;

/**
 * Merges the rows of many series into log order: by segment, time + lateness, tie. A heap has the
 * next row of each series. The rows of the next moments are taken out of it, series after series,
 * and sorted, because a pass down the heap for each row takes longer. Rows that cannot be sorted
 * stay in the heap, and are merged with the sorted rows. Memory does not grow with the number of
 * rows. For one thread.
 */
public final class LogOrder {

  /** A series, ordered by the row of its cursor. */
  private static final class SeriesCursor extends MergeHeap.Source {
    final int series;
    final RowCursor cursor;

    SeriesCursor(int series, RowCursor cursor) {
      this.series = series;
      this.cursor = cursor;
    }

    boolean advance() {
      if (!cursor.next()) {
        return false;
      }
      moveToRow();
      return true;
    }

    /** Sets the place in the heap to that of the cursor's row. */
    void moveToRow() {
      moveTo(cursor.segment(), cursor.timeNanos() + cursor.latenessNanos(), cursor.tie());
    }
  }

  private final MergeHeap<SeriesCursor> heap;
  private final SortedRows sorted;
  private boolean hasSorted;

  /** The series whose row is the first of the heap and the current one; null otherwise. */
  private @Nullable SeriesCursor ofHeap;

  private int segment = -1;
  private long latestNanos;
  private int tie;

  /**
   * @param series number of series; those without rows are excluded
   */
  public LogOrder(ScatteredRows rows, int series) {
    List<SeriesCursor> cursors = new ArrayList<>();
    for (int i = 0; i < series; i++) {
      SeriesCursor cursor = new SeriesCursor(i, rows.cursor(i));
      if (cursor.advance()) {
        cursors.add(cursor);
      }
    }
    heap = new MergeHeap<>(cursors);
    sorted = new SortedRows(rows);
  }

  /**
   * Moves to the next row.
   *
   * @return false if there is none
   */
  public boolean next() {
    SeriesCursor passed = ofHeap;
    if (passed != null) {
      heap.firstMoved(passed.advance());
    } else {
      hasSorted = hasSorted && sorted.next();
    }
    if (!hasSorted) {
      hasSorted = sort();
    }
    boolean fromHeap =
        !heap.isEmpty()
            && !(hasSorted
                && heap.first().isBehind(sorted.segment(), sorted.nanos(), sorted.tie()));
    ofHeap = fromHeap ? heap.first() : null;
    return fromHeap || hasSorted;
  }

  /** Takes the next rows out of the heap, and sorts them. Returns whether there are any. */
  private boolean sort() {
    if (heap.isEmpty()) {
      return false;
    }
    sorted.begin(heap.first().segment(), heap.first().nanos());
    int before = -1;
    while (!heap.isEmpty() && sorted.size() > before) {
      before = sorted.size();
      SeriesCursor first = heap.first();
      boolean hasRow = sorted.add(first.series, first.cursor);
      if (sorted.size() > before) {
        if (hasRow) {
          first.moveToRow();
        }
        heap.firstMoved(hasRow);
      }
    }
    sorted.sort(heap.isEmpty() || heap.first().segment() != sorted.segment());
    return sorted.next();
  }

  /**
   * Returns whether the row's tie is the one that follows the previous row. Call this once per row.
   * If false, two events have the same place in the log order, or a place is empty.
   */
  public boolean isInPlace() {
    SeriesCursor row = ofHeap;
    int rowSegment = segment();
    long rowNanos = row == null ? sorted.nanos() : row.nanos();
    int rowTie = row == null ? sorted.tie() : row.tie();
    boolean sameSegment = rowSegment == segment;
    boolean behind = !sameSegment || rowNanos >= latestNanos;
    boolean equal = sameSegment && rowNanos == latestNanos;
    boolean inPlace = behind && rowTie == (equal ? tie + 1 : 0) && !sorted.disordered();
    segment = rowSegment;
    latestNanos = rowNanos;
    tie = rowTie;
    return inPlace;
  }

  /** Returns the series of the row. */
  public int series() {
    SeriesCursor row = ofHeap;
    return row == null ? sorted.series() : row.series;
  }

  /** Returns the segment of the row, as it was added. */
  public int segment() {
    SeriesCursor row = ofHeap;
    return row == null ? sorted.segment() : row.segment();
  }

  /** Returns the cursor at the row, valid until the next row. */
  public RowCursor row() {
    SeriesCursor row = ofHeap;
    return row == null ? sorted.row() : row.cursor;
  }
}
