package org.kblake.query.internal.source;

import java.io.IOException;

/** Events of one group in log order. */
abstract class OrderedRuns extends EventRuns {

  /**
   * Returns the key in log order of the segment of one of the run's rows. Keys of different groups
   * are not comparable.
   */
  public abstract long orderKey(int row) throws IOException;
}
