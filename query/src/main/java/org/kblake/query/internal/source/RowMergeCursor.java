package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.MergeHeap;

/** A cursor over the rows of a source, which come some at a time, in columns. */
abstract class RowMergeCursor extends MergeHeap.Source implements Closeable {

  private int row;
  private int end;

  /**
   * @param row the first row
   * @param end the row after its last; the same as {@code row} if the first rows are still to come
   */
  RowMergeCursor(int row, int end) {
    this.row = row;
    this.end = end;
  }

  /** Returns the columns of the present rows. */
  abstract EventColumns columns();

  /**
   * Moves to the next rows, and passes them to {@link #begin}.
   *
   * @return false if there is none
   */
  abstract boolean nextRows() throws IOException;

  /** Sets the key to that of a present row. */
  abstract void moveTo(int at);

  /**
   * Returns the row after the last one that precedes another cursor's row, within the columns. It
   * is at least one row further.
   */
  abstract int endBefore(MergeHeap.Source other);

  final void begin(int from, int to) {
    row = from;
    end = to;
  }

  final int row() {
    return row;
  }

  /** Returns the row after the last present one. */
  final int end() {
    return end;
  }

  /**
   * Moves to a present row. If it is after the last, moves to the first of the next rows.
   *
   * @return false if there is none
   */
  final boolean goTo(int next) throws IOException {
    row = next;
    if (next == end && !nextRows()) {
      return false;
    }
    moveTo(row);
    return true;
  }
}
