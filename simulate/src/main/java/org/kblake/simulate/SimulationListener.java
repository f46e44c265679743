package org.kblake.simulate;

import org.kblake.core.model.Group;

/**
 * Receives the progress of a simulation. It is called on the simulation's thread, at most some
 * hundred times a second.
 */
public interface SimulationListener {

  /** Ignores the progress. */
  SimulationListener NONE = (group, bytes, expectedBytes) -> {};

  /**
   * @param group the group that is being written
   * @param bytes the size of all logs so far
   * @param expectedBytes the estimated size of all logs at the end
   */
  void wrote(Group group, long bytes, long expectedBytes);
}
