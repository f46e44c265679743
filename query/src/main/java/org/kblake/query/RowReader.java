package org.kblake.query;

import org.kblake.core.columns.EventColumns;
import org.kblake.query.internal.source.EventRows;

/** A reader of events, some adjacent rows of one channel at a time, in the order of the answer. */
public abstract sealed class RowReader extends AnswerReader permits EventCursor, EventFollower {

  RowReader(AnswerState state) {
    super(state);
  }

  /** Returns the source whose present rows are read. */
  abstract EventRows rows();

  /**
   * Returns the columns of the rows. They are valid until the next rows are read. Not to be
   * changed.
   */
  public final EventColumns columns() {
    return rows().columns();
  }

  /** Returns the first row. */
  public final int from() {
    return rows().from();
  }

  /** Returns the row after the last. */
  public final int to() {
    return rows().to();
  }

  /** Returns the channel of the rows, an index into {@link #channels()}. */
  public int channel() {
    return rows().channel();
  }
}
