package org.kblake.ingest.internal.rows;

import java.util.ArrayList;
import java.util.List;

/**
 * Merges the rows of many series back into log order: by segment, time + lateness, tie. A heap of
 * one row per series, whatever the number of rows. For one thread.
 */
public final class LogOrder {

  /** A series, by the row that it stands on. */
  private static final class Source {
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

    boolean before(Source other) {
      if (segment != other.segment) {
        return segment < other.segment;
      }
      return latestNanos == other.latestNanos ? tie < other.tie : latestNanos < other.latestNanos;
    }
  }

  private final Source[] heap;
  private int size;
  private boolean begun;
  private int segment = -1;
  private long latestNanos;
  private int tie;

  /**
   * @param series how many there are; those without rows are left out
   */
  public LogOrder(ScatteredRows rows, int series) {
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < series; i++) {
      Source source = new Source(i, rows.cursor(i));
      if (source.advance()) {
        sources.add(source);
      }
    }
    heap = sources.toArray(new Source[0]);
    size = heap.length;
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  /**
   * Goes to the next row.
   *
   * @return false if there is none
   */
  public boolean next() {
    if (begun && size > 0 && !heap[0].advance()) {
      heap[0] = heap[--size];
    }
    if (size == 0) {
      return false;
    }
    if (begun) {
      sink(0);
    }
    begun = true;
    return true;
  }

  private void sink(int from) {
    Source sinking = heap[from];
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap[child + 1].before(heap[child])) {
        child++;
      }
      if (!heap[child].before(sinking)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = sinking;
  }

  /**
   * Whether the row has the place that its tie says, behind the row that was asked about before:
   * else two events claim one place, or nobody does.
   */
  public boolean isInPlace() {
    Source row = heap[0];
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
    return heap[0].series;
  }

  /** The segment of the row, as it was added. */
  public int segment() {
    return heap[0].segment;
  }

  /** Stands on the row. */
  public RowCursor row() {
    return heap[0].cursor;
  }
}
