package org.kblake.ingest.internal.rows;

import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.columns.MergeHeap;

/**
 * Merges the rows of many series back into log order: by segment, time + lateness, tie. A heap of
 * one row per series, whatever the number of rows. For one thread.
 */
public final class LogOrder {

  /** A series, by the row that it stands on. */
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
      standOn(cursor.segment(), cursor.timeNanos() + cursor.latenessNanos(), cursor.tie());
      return true;
    }
  }

  private final MergeHeap<SeriesCursor> heap;
  private boolean begun;
  private int segment = -1;
  private long latestNanos;
  private int tie;

  /**
   * @param series how many there are; those without rows are excluded
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
  }

  /**
   * Goes to the next row.
   *
   * @return false if there is none
   */
  public boolean next() {
    if (begun && !heap.isEmpty()) {
      heap.firstMoved(heap.first().advance());
    }
    begun = true;
    return !heap.isEmpty();
  }

  /**
   * Whether the row has the place that its tie says, behind the row that was asked about before:
   * else two events claim one place, or nobody does.
   */
  public boolean isInPlace() {
    SeriesCursor row = heap.first();
    boolean sameSegment = row.segment() == segment;
    boolean behind = !sameSegment || row.nanos() >= latestNanos;
    boolean equal = sameSegment && row.nanos() == latestNanos;
    boolean inPlace = behind && row.tie() == (equal ? tie + 1 : 0);
    segment = row.segment();
    latestNanos = row.nanos();
    tie = row.tie();
    return inPlace;
  }

  /** The series of the row. */
  public int series() {
    return heap.first().series;
  }

  /** The segment of the row, as it was added. */
  public int segment() {
    return heap.first().segment();
  }

  /** Stands on the row. */
  public RowCursor row() {
    return heap.first().cursor;
  }
}
