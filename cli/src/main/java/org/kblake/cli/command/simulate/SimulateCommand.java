package org.kblake.cli.command.simulate;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.WriteFailure;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.progress.Progress;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.argument.DurationArgument;
import org.kblake.format.argument.TimeArgument;
import org.kblake.simulate.AbortCause;
import org.kblake.simulate.Preset;
import org.kblake.simulate.SimulatedMetadata;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationSettings;
import org.kblake.simulate.SimulationSummary;

/** {@code kblake simulate}: writes a simulated archive. */
public final class SimulateCommand implements Command {

  /** The end of an archive that grows without an end. */
  private static final Instant LAST = Instant.parse("2099-12-31T00:00:00Z");

  private final Session session;
  private final CommandModel model =
      CommandModel.of("simulate", "Write a simulated archive.")
          .description(
              "",
              "Writes a KEKBLog tree as kblog would have written it. The same options give the same"
                  + " bytes, on every machine and JDK. docs/simulate.md describes the simulation.",
              "",
              "With --live the archive ends now, and then grows as time passes, until Ctrl-C or for"
                  + " the time of --for. Use it to try kblake run, get --follow and status --watch.",
              "",
              "With --metadata DIR it also writes the metadata of the channels to this folder:"
                  + " units, limits and labels.")
          .footer(
              "  kblake simulate --scale 0.2 --days 0.1 demo-archive",
              "  kblake simulate --days 0.1 --abort 2024-05-20T01:30 aborted-archive",
              "  kblake simulate --live --days 0.05 live-archive",
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
          "Length in days, such as 0.5; default: 1, and 365 for rf-year without --live. With --live:"
              + " the time until now.",
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

  private final OptionalValue<TimeArgument> abort =
      model.value(
          TimeArgument.class,
          "TIME",
          "Both rings abort at this second, and one channel departs from its habit just before.",
          "--abort");

  private final Flag live =
      model.flag("Write the time until now, then let the archive grow as time passes.", "--live");

  private final OptionalValue<String> duration =
      model.value(
          String.class, "DURATION", "With --live: end after this time; default: never.", "--for");

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
    Path root = session.path(directory.get());
    if (live.isSet()) {
      if (abort.isGiven()) {
        throw new UsageException("--abort is not for --live");
      }
      String text = duration.get();
      Duration history = history();
      SimulationSettings growing = liveSettings(root, history);
      writeMetadata(growing);
      try {
        return new LiveArchive(session, text == null ? "until Ctrl-C" : "for " + text)
            .write(growing, history);
      } catch (IOException e) {
        throw WriteFailure.explained(e, root, "the archive can be read as far as it was written");
      }
    }
    if (duration.isGiven()) {
      throw new UsageException("--for needs --live");
    }
    SimulationSettings settings = settings(root);
    writeMetadata(settings);
    return Stoppable.run(session, incomplete(settings), () -> simulate(settings));
  }

  private static String incomplete(SimulationSettings settings) {
    return "the simulated archive is incomplete: name another directory than " + settings.root();
  }

  /** Writes the metadata of the channels, if a folder is named on the command line. */
  private void writeMetadata(SimulationSettings settings) throws IOException {
    Path folder = session.settings().metadata();
    if (folder != null && session.settings().source(CommonSetting.METADATA).equals("--metadata")) {
      SimulatedMetadata.write(settings, folder);
    }
  }

  private int simulate(SimulationSettings settings) throws IOException, InterruptedException {
    SimulationSummary summary;
    try (Progress progress = session.progress("simulate", Simulation.expectedBytes(settings))) {
      summary = Simulation.run(settings, new SimulationProgress(progress));
    } catch (IOException e) {
      throw WriteFailure.explained(e, settings.root(), incomplete(settings));
    }
    session.note(line(settings.root(), summary));
    AbortCause cause = AbortCause.of(settings);
    if (cause != null) {
      session.note(
          "abort at %s, caused by %s at %s: %.1f standard deviations"
              .formatted(
                  settings.abort(),
                  cause.channel(),
                  Instant.ofEpochSecond(0, cause.onsetNanos()),
                  cause.sigmas()));
    }
    return ExitStatus.DONE;
  }

  static String line(Path root, SimulationSummary summary) {
    return "%s: %d channels in %d groups, %d pairs, %,d events, %s of logs"
        .formatted(
            root,
            summary.channels(),
            summary.groups(),
            summary.pairs(),
            summary.events(),
            new ByteSize(summary.logBytes()));
  }

  /** Returns the time until now that is written first, in whole seconds. */
  private Duration history() {
    TimeArgument begin = start.get();
    Double length = days.get();
    if (begin != null && length != null) {
      throw new UsageException("name --start or --days with --live, not both");
    }
    if (begin != null) {
      long nanos = begin.nanos(session.settings().zone(), session.now(), TimeArgument.Bound.FROM);
      return Duration.ofSeconds(
          session.now().getEpochSecond() - Instant.ofEpochSecond(0, nanos).getEpochSecond());
    }
    return Duration.ofSeconds(
        Math.round((length == null ? 1 : length) * Duration.ofDays(1).toSeconds()));
  }

  private SimulationSettings liveSettings(Path root, Duration history) {
    try {
      Instant start = session.now().minus(history);
      if (history.toSeconds() < 1) {
        throw new UsageException("an archive that grows must begin a second ago or earlier");
      }
      String text = duration.get();
      Duration growth =
          text == null ? Duration.between(session.now(), LAST) : DurationArgument.parse(text);
      return SimulationSettings.of(Preset.of(preset.get()), root)
          .start(
              LocalDateTime.ofInstant(start, session.settings().zone()), session.settings().zone())
          .start(start)
          .seed(seed.get())
          .scale(scale.get())
          .groups(Set.copyOf(groups.named()))
          .length(history.plus(growth));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
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
      settings = length == null ? settings : settings.days(length);
      TimeArgument lost = abort.get();
      return lost == null
          ? settings
          : settings.abort(
              Instant.ofEpochSecond(0, lost.nanos(zone, session.now(), TimeArgument.Bound.FROM)));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }
}
