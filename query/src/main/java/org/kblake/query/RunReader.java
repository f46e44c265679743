package org.kblake.query;

import org.kblake.core.columns.EventColumns;
import org.kblake.query.internal.source.EventRuns;

/**
 * A reader of events run after run. A run is adjacent events of one channel, in the order of the
 * answer.
 */
public abstract sealed class RunReader extends AnswerReader permits EventCursor, EventFollower {

  RunReader(AnswerState state) {
    super(state);
  }

  /** Returns the source whose present run is read. */
  abstract EventRuns run();

  /**
   * Returns the columns of the run. They are valid until the next run is read. Not to be changed.
   */
  public final EventColumns columns() {
    return run().columns();
  }

  /** Returns the run's first row. */
  public final int from() {
    return run().from();
  }

  /** Returns the row after the run's last. */
  public final int to() {
    return run().to();
  }

  /** Returns the run's channel, an index into {@link #channels()}. */
  public int channel() {
    return run().channel();
  }
}
