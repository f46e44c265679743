package org.kblake.lake.table;

import java.io.IOException;

/** The right to change the tables of a location. One process has it, and never gets it back. */
@FunctionalInterface
public interface WriteRight {

  /**
   * Confirms that this process still has the right.
   *
   * @throws IOException if another process has taken it
   */
  void confirm() throws IOException;
}
