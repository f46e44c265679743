package org.kblake.cli.command.simulate;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.progress.Progress;
import org.kblake.simulate.LiveSimulation;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationSettings;

/** Writes a simulated archive that grows, with messages for the user. */
final class LiveArchive {

  private final Session session;
  private final String howLong;

  /**
   * @param howLong how long the archive grows, for messages
   */
  LiveArchive(Session session, String howLong) {
    this.session = session;
    this.howLong = howLong;
  }

  /**
   * Writes until the end of the settings' length, or until the command is stopped.
   *
   * @param settings their length includes the growth
   * @param history the part of their length until now
   */
  int write(SimulationSettings settings, Duration history) throws IOException {
    Progress progress =
        session.progress("simulate", Simulation.expectedBytes(settings.length(history)));
    LiveSimulation simulation =
        new LiveSimulation(
            settings,
            history,
            session.environment().clock(),
            new SimulationProgress(progress),
            () -> {
              progress.close();
              session.note(settings.root() + " grows " + howLong + ". In another terminal:");
              session.note("  export KBLAKE_ARCHIVE=" + settings.root().toAbsolutePath());
              session.note("  kblake channels -l");
              session.note("  kblake get '*' --from -10s --follow");
            });
    return Stoppable.run(
        session,
        () -> ended(settings, simulation),
        () -> {
          try {
            simulation.run();
          } finally {
            if (simulation.until() == null) {
              progress.close();
            }
          }
          session.note(ended(settings, simulation));
          return ExitStatus.DONE;
        });
  }

  private String ended(SimulationSettings settings, LiveSimulation simulation) {
    Instant until = simulation.until();
    return until == null
        ? "the simulated archive is incomplete: name another directory than " + settings.root()
        : SimulateCommand.line(settings.root(), simulation.summary())
            + ", complete until "
            + until.truncatedTo(ChronoUnit.SECONDS).atZone(settings.zone()).toLocalDateTime();
  }
}
