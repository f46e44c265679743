package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.MergeHeap;

/** A cursor over the rows of a source. The rows come run after run, each run in columns. */
abstract class RunCursor extends MergeHeap.Source implements Closeable {

  private int row;
  private int end;

  /**
   * @param row the run's first row
   * @param end the row after its last; the same as {@code row} if the first run is still to come
   */
  RunCursor(int row, int end) {
    this.row = row;
    this.end = end;
  }

  /** Returns the columns of the run. */
  abstract EventColumns columns();

  /**
   * Moves to the next run, and passes its rows to {@link #begin}.
   *
   * @return false if there is none
   */
  abstract boolean nextRun() throws IOException;

  /** Sets the key to that of a row of the run. */
  abstract void moveTo(int at);

  /**
   * Returns the row after the last one that precedes another cursor's row, within the columns. It
   * is at least one row further.
   */
  abstract int endOfRunBefore(MergeHeap.Source other);

  final void begin(int from, int to) {
    row = from;
    end = to;
  }

  final int row() {
    return row;
  }

  /** Returns the row after the last of the run. */
  final int end() {
    return end;
  }

  /**
   * Moves to a row of the run. If it is after the last, moves to the first row of the next run.
   *
   * @return false if there is none
   */
  final boolean goTo(int next) throws IOException {
    row = next;
    if (next == end && !nextRun()) {
      return false;
    }
    moveTo(row);
    return true;
  }
}
