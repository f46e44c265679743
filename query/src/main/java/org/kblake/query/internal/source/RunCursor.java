package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.MergeHeap;

/** Stands on a row of a source whose rows come run after run, each run in columns. */
abstract class RunCursor extends MergeHeap.Source implements Closeable {

  private int row;
  private int end;

  /**
   * @param row the run's first row
   * @param end the row behind its last; the same if the first run is still to come
   */
  RunCursor(int row, int end) {
    this.row = row;
    this.end = end;
  }

  /** What the run is in. */
  abstract EventColumns columns();

  /**
   * Brings the next run, and tells of it by {@link #begin}.
   *
   * @return false if there is none
   */
  abstract boolean nextRun() throws IOException;

  /** Takes the key of a row of the run. */
  abstract void standOn(int at);

  /**
   * The row behind the last that comes before another cursor's row; the columns have it. One row at
   * least.
   */
  abstract int endOfRunBefore(MergeHeap.Source other);

  final void begin(int from, int to) {
    row = from;
    end = to;
  }

  final int row() {
    return row;
  }

  /** The row behind the last of the run. */
  final int end() {
    return end;
  }

  /**
   * Goes to a row of the run, or, if it is behind the last, to the first of the next run.
   *
   * @return false if there is none
   */
  final boolean goTo(int next) throws IOException {
    row = next;
    if (next == end && !nextRun()) {
      return false;
    }
    standOn(row);
    return true;
  }
}
