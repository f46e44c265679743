package org.kblake.cli.command.simulate;

import org.kblake.cli.progress.Progress;
import org.kblake.core.model.Group;
import org.kblake.simulate.SimulationListener;

/**
 * Shows the progress of a simulation. The simulation reports totals, and a progress needs
 * increments.
 */
final class SimulationProgress implements SimulationListener {

  private final Progress progress;
  private long shownBytes;

  SimulationProgress(Progress progress) {
    this.progress = progress;
  }

  @Override
  public void wrote(Group group, long bytes, long expectedBytes) {
    progress.advance(bytes - shownBytes, 0);
    shownBytes = bytes;
  }
}
