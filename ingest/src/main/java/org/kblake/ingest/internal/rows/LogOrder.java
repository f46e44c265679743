package org.kblake.ingest.internal.rows;

import org.kblake.core.internal.columns.MergeHeap;

/**
 * Merges the rows of many series back into log order: by segment, time + lateness, tie. A heap of
 * one row per series, whatever the number of rows. For one thread.
 */
public final class LogOrder {

  /** A series, by the row that it stands on. */
  private static final class Source implements MergeHeap.Source<Source> {
    final int series;
    final RowCursor cursor;
    int segment;
    long latestNanos;
    int tie;

    Source(int series, RowCursor cursor) {
      this.series = series;
      this.cursor = cursor;
    }

    boolean advance() {
      if (!cursor.next()) {
        return false;
      }
      segment = cursor.segment();
      latestNanos = cursor.timeNanos() + cursor.latenessNanos();
      tie = cursor.tie();
      return true;
    }

    @Override
    public boolean isBefore(Source other) {
      if (segment != other.segment) {
        return segment < other.segment;
      }
      return latestNanos == other.latestNanos ? tie < other.tie : latestNanos < other.latestNanos;
    }
  }

  private final MergeHeap<Source> heap;
  private boolean begun;
  private int segment = -1;
  private long latestNanos;
  private int tie;

  /**
   * @param series how many there are; those without rows are left out
   */
  public LogOrder(ScatteredRows rows, int series) {
    heap = new MergeHeap<>(new Source[series]);
    for (int i = 0; i < series; i++) {
      Source source = new Source(i, rows.cursor(i));
      if (source.advance()) {
        heap.add(source);
      }
    }
    heap.order();
  }

  /**
   * Goes to the next row.
   *
   * @return false if there is none
   */
  public boolean next() {
    if (begun && heap.size() > 0) {
      heap.moved(heap.least().advance());
    }
    begun = true;
    return heap.size() > 0;
  }

  /**
   * Whether the row has the place that its tie says, behind the row that was asked about before:
   * else two events claim one place, or nobody does.
   */
  public boolean isInPlace() {
    Source row = heap.least();
    boolean sameSegment = row.segment == segment;
    boolean behind = !sameSegment || row.latestNanos >= latestNanos;
    boolean equal = sameSegment && row.latestNanos == latestNanos;
    boolean inPlace = behind && row.tie == (equal ? tie + 1 : 0);
    segment = row.segment;
    latestNanos = row.latestNanos;
    tie = row.tie;
    return inPlace;
  }

  /** The series of the row. */
  public int series() {
    return heap.least().series;
  }

  /** The segment of the row, as it was added. */
  public int segment() {
    return heap.least().segment;
  }

  /** Stands on the row. */
  public RowCursor row() {
    return heap.least().cursor;
  }
}
