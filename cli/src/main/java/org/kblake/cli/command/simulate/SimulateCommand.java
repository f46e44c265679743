package org.kblake.cli.command.simulate;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.kblake.cli.argument.ByteSize;
import org.kblake.cli.argument.TimeArgument;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.progress.Progress;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationSettings;
import org.kblake.simulate.SimulationSummary;

/** {@code kblake simulate}: writes a simulated archive. */
public final class SimulateCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("simulate", "Write a simulated archive.")
          .description(
              "",
              "Writes a KEKBLog tree as kblog would have written it. The same options give the same"
                  + " bytes, on every machine and JDK. docs/simulate.md describes the simulation.")
          .footer(
              "  kblake simulate --scale 0.2 --days 0.1 demo-archive",
              "  kblake simulate --preset superkekb --scale 0.001 --days 0.01 small-superkekb");

  private final Value<Path> directory =
      model.argument(
          Path.class, "DIR", "The directory to write. It must be empty, or not exist yet.");

  private final Value<String> preset =
      model.choice(
          presets(),
          "demo",
          "NAME",
          "The machine: ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.",
          "--preset");

  private final OptionalValue<TimeArgument> start =
      model.value(
          TimeArgument.class,
          "TIME",
          "Begin of the simulated time; default: that of the preset.",
          "--start");

  private final OptionalValue<Double> days =
      model.value(
          Double.class,
          "N",
          "Length in days, such as 0.5; default: 1, and 365 for rf-year.",
          "--days");

  private final Value<Double> scale =
      model.preset(
          double.class,
          "1",
          "X",
          "Factor for the number of channels, and thus for the size.",
          "--scale");

  private final Value<Long> seed =
      model.preset(
          long.class, "1", "N", "Seed of the random numbers; default: ${DEFAULT-VALUE}.", "--seed");

  private final GroupOption groups = new GroupOption(model);

  public SimulateCommand(Session session) {
    this.session = session;
  }

  /** Returns the values of {@code --preset} for help and completion. */
  private static List<String> presets() {
    List<String> names = new ArrayList<>();
    for (Preset each : Preset.values()) {
      names.add(each.text());
    }
    return names;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    SimulationSettings settings = settings(session.path(directory.get()));
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
      Preset machine = Preset.of(preset.get());
      ZoneId zone = session.settings().zone();
      SimulationSettings settings =
          SimulationSettings.of(machine, root)
              .start(machine.defaultStart(), zone)
              .seed(seed.get())
              .scale(scale.get())
              .groups(Set.copyOf(groups.named()));
      TimeArgument begin = start.get();
      if (begin != null) {
        long nanos = begin.nanos(zone, session.now(), TimeArgument.Bound.FROM);
        settings = settings.start(Instant.ofEpochSecond(0, nanos));
      }
      Double length = days.get();
      return length == null ? settings : settings.days(length);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }
}
