package org.kblake.query.internal.grid;

import java.io.Closeable;
import java.io.IOException;
import org.kblake.query.internal.plan.PlannedRange;

/** Delivers the events of a range to a grid. */
interface GridFeed extends Closeable {

  /** Returns the range. */
  PlannedRange planned();

  /**
   * Delivers at least the events of a window that matter, and possibly later ones.
   *
   * @return whether there may be events after the window
   */
  boolean deliver(GridWindow window) throws IOException;
}
