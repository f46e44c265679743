package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import org.kblake.core.columns.EventColumns;

/**
 * Events in the order of the answer, a run at a time: neighbours in that order that are of one
 * channel. Not thread safe. The run's columns are valid until the next call.
 */
public interface EventRuns extends Closeable {

  /**
   * Moves to the next run, which has at least one row.
   *
   * @return false if there is none
   */
  boolean next() throws IOException;

  /** The columns that hold the run. */
  EventColumns columns();

  /** The run's first row. */
  default int from() {
    return 0;
  }

  /** The row behind the run's last. */
  default int to() {
    return columns().count;
  }

  /** The run's channel, an index into the channels of the answer. */
  int channel();

  /** The run's group, an index into the groups of the answer. */
  int group();

  /** Where the segment of one of the run's rows stands in log order; only within a group. */
  long orderKey(int row) throws IOException;
}
