package org.kblake.simulate;

import org.kblake.core.model.Group;

/** Receives the progress of a simulation, at most some hundred times a second, on its thread. */
public interface SimulationListener {

  /** Ignores the progress. */
  SimulationListener NONE = (group, bytes, expectedBytes) -> {};

  /**
   * @param group the group that is being written
   * @param bytes written so far, all groups and indexes together
   * @param expectedBytes in the end, an estimate
   */
  void wrote(Group group, long bytes, long expectedBytes);
}
