package org.kblake.cli.command.simulate;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.argument.ByteSize;
import org.kblake.cli.argument.TimeArgument;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.progress.Progress;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationSettings;
import org.kblake.simulate.SimulationSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kblake simulate}: writes a simulated archive. */
@Command(
    name = "simulate",
    header = "Write a simulated archive.",
    description = {
      "",
      "Writes a KEKBLog tree as kblog would have written it. The same options give the same"
          + " bytes, on every machine and JDK. docs/simulate.md describes the simulation."
    },
    footer = {
      "  kblake simulate --scale 0.2 --days 0.1 demo-archive",
      "  kblake simulate --preset superkekb --scale 0.001 --days 0.01 small-superkekb"
    })
public final class SimulateCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(
      paramLabel = "DIR",
      description = "The directory to write. It must be empty, or not exist yet.")
  private Path directory = Path.of("");

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      defaultValue = "demo",
      completionCandidates = PresetNames.class,
      description = "The machine: ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
  private String preset;

  @Option(
      names = "--start",
      paramLabel = "TIME",
      description = "Begin of the simulated time; default: that of the preset.")
  private @Nullable TimeArgument start;

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "Length in days, such as 0.5; default: 1, and 365 for rf-year.")
  private @Nullable Double days;

  @Option(
      names = "--scale",
      paramLabel = "X",
      defaultValue = "1",
      description = "Factor for the number of channels, and thus for the size.")
  private double scale;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the random numbers; default: ${DEFAULT-VALUE}.")
  private long seed;

  @Mixin private final GroupOption groups = new GroupOption();

  public SimulateCommand(Session session) {
    this.session = session;
  }

  /** The values of {@code --preset} for help and completion. */
  static final class PresetNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Preset.values()).map(Preset::text).iterator();
    }
  }

  @Override
  public Integer call() throws IOException {
    SimulationSettings settings = settings(session.path(directory));
    return Stoppable.run(
        session,
        "the simulated archive is incomplete: remove " + settings.root(),
        () -> simulate(settings));
  }

  private int simulate(SimulationSettings settings) throws IOException, InterruptedException {
    SimulationSummary summary;
    try (Progress progress = session.progress("simulate", Simulation.expectedBytes(settings))) {
      summary = Simulation.run(settings, new SimulationProgress(progress));
    }
    session.note(
        "%s: %d channels in %d groups, %d pairs, %,d events, %s of logs"
            .formatted(
                settings.root(),
                summary.channels(),
                summary.groups(),
                summary.pairs(),
                summary.events(),
                new ByteSize(summary.logBytes())));
    return ExitStatus.DONE;
  }

  private SimulationSettings settings(Path root) {
    try {
      Preset machine = Preset.of(preset);
      ZoneId zone = session.settings().zone();
      SimulationSettings settings =
          SimulationSettings.of(machine, root)
              .start(machine.defaultStart(), zone)
              .seed(seed)
              .scale(scale)
              .groups(Set.copyOf(groups.named()));
      if (start != null) {
        long nanos = start.nanos(zone, session.now(), TimeArgument.Bound.FROM);
        settings = settings.start(Instant.ofEpochSecond(0, nanos));
      }
      return days == null ? settings : settings.days(days);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }
}
