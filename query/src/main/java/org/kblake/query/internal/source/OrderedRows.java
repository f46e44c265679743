package org.kblake.query.internal.source;

import java.io.IOException;

/** Events of one group in log order. */
public abstract class OrderedRows extends EventRows {

  /**
   * Returns the key in log order of the segment of a row. Keys of different groups are not
   * comparable.
   */
  public abstract long orderKey(int row) throws IOException;

  /**
   * Returns whether the rows are in log order. If not, the events of one channel are, and segment,
   * lateness and tie of the columns give the place of each event in log order, if they are read.
   */
  public boolean isInLogOrder() {
    return true;
  }
}
