package org.kblake.simulate;

import org.kblake.core.model.Group;

/** Is told how far a simulation is, some hundred times a second at most, on its thread. */
public interface SimulationListener {

  /** Does not care. */
  SimulationListener NONE = (group, bytes, expectedBytes) -> {};

  /**
   * @param group which is being written
   * @param bytes written so far, all groups and indexes together
   * @param expectedBytes in the end, an estimate
   */
  void wrote(Group group, long bytes, long expectedBytes);
}
