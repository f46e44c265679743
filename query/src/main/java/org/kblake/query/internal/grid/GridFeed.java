package org.kblake.query.internal.grid;

import java.io.Closeable;
import java.io.IOException;
import org.kblake.query.internal.plan.GroupRead;

/** Brings the events of a range to a grid. */
interface GridFeed extends Closeable {

  /** The range. */
  GroupRead.PlannedRange planned();

  /**
   * Brings at least the events of a window that matter, perhaps later ones as well.
   *
   * @return whether there may be events behind the window
   */
  boolean bring(GridWindow window) throws IOException;
}
