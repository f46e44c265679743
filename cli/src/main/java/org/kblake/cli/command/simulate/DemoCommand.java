package org.kblake.cli.command.simulate;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.ExpectedStore;
import org.kblake.cli.command.shared.StoreProfile;
import org.kblake.cli.command.shared.TemporaryDirectory;
import org.kblake.cli.command.shared.WriteFailure;
import org.kblake.cli.command.store.BackfillReport;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.extension.Extension;
import org.kblake.cli.extension.ExtensionWord;
import org.kblake.cli.extension.LiveDemo;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.progress.Progress;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.Backfill;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.query.ArchiveReader;
import org.kblake.simulate.Preset;
import org.kblake.simulate.SimulatedMetadata;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationSettings;
import org.kblake.simulate.SimulationSummary;

/** {@code kblake demo}: demonstrates simulation, backfill and reading in a minute. */
public final class DemoCommand implements Command {

  private static final long MEMORY_BYTES = 128L << 20;

  private final Session session;

  /** The directory that is kept after Ctrl-C; null if it is removed. */
  private @Nullable Path served;

  private final CommandModel model =
      CommandModel.of("demo", "Demonstrate kblake with a simulated day.")
          .description(
              "",
              "Simulates a day of four groups in a temporary directory, transcodes it, and reads"
                  + " one channel's day from the raw logs and from the columns. Prints the result,"
                  + " both times and both sizes. Removes the directory. Uses no settings, no"
                  + " archive and no store.",
              "",
              "Both are read several times, and the fastest time is printed. So the files are in"
                  + " memory and the program is warm for both.",
              "",
              "With --serve: simulates the last day instead, lets it grow, and serves it to"
                  + " browsers until Ctrl-C. Prints the address of the page.",
              "",
              "With --live: an IOC in this process, on this host's loopback address alone, has 20"
                  + " channels. kblake record writes their logs, kblake run makes columns of them,"
                  + " and kblake serve shows them, until Ctrl-C. Needs the tarball of kblake"
                  + " record.")
          .footer(
              "  kblake demo",
              "  kblake demo --keep=another-demo",
              "  kblake demo --serve",
              "  kblake demo --live");

  private final OptionalValue<Path> keep =
      model.valueOrElse(
          Path.class,
          "",
          "DIR",
          "Keep the directory, in this place if one is given. It has settings, so that kblake reads"
              + " the demo's archive there. Print commands to try.",
          "--keep");

  private final Flag serve =
      model.flag(
          "Serve a simulated day, which grows, to browsers. Prints the address of the page.",
          "--serve");

  private final Flag live =
      model.flag("Record, transcode and serve live channels of an IOC in this process.", "--live");

  public DemoCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    if (live.isSet() && serve.isSet()) {
      throw new UsageException("--live serves by itself; leave out --serve");
    }
    return Stoppable.run(session, this::whenStopped, this::demonstrate);
  }

  private int demonstrate() throws IOException, InterruptedException {
    try (TemporaryDirectory directory = directory();
        Writer out = session.text()) {
      try {
        if (live.isSet()) {
          return live(directory);
        }
        if (serve.isSet()) {
          return serve(directory);
        }
        demonstrate(directory.path(), out);
      } catch (IOException e) {
        throw WriteFailure.explained(e, directory.path(), whenStopped());
      }
      if (keep.isGiven()) {
        directory.keep();
      }
      return ExitStatus.DONE;
    }
  }

  /** Records and serves until Ctrl-C. */
  private int live(TemporaryDirectory directory) throws IOException, InterruptedException {
    for (Extension each : ServiceLoader.load(Extension.class)) {
      LiveDemo demo = each.liveDemo();
      if (demo != null) {
        keepServed(directory);
        demo.run(session, directory.path());
        return ExitStatus.DONE;
      }
    }
    throw ExtensionWord.RECORD.notInstalled();
  }

  private void keepServed(TemporaryDirectory directory) {
    if (keep.isGiven()) {
      directory.keep();
      served = directory.path();
    }
  }

  /** Serves until Ctrl-C, which is the usual end. A kept directory is kept after it, too. */
  private int serve(TemporaryDirectory directory) throws IOException, InterruptedException {
    keepServed(directory);
    if (keep.isGiven()) {
      writeSettings(directory.path());
    }
    return new ServedDemo(session, directory.path().resolve("archive")).run();
  }

  private String whenStopped() {
    Path kept = served;
    return kept == null
        ? "the demo's directory is removed"
        : "the demo is kept in " + kept + "; kblake serve serves it again from there";
  }

  private TemporaryDirectory directory() throws IOException {
    Path wanted = keep.get();
    if (wanted == null || wanted.toString().isEmpty()) {
      return TemporaryDirectory.create("kblake-demo-");
    }
    Path path = session.path(wanted).toAbsolutePath();
    if (Files.exists(path)) {
      throw new RequestException(path + " exists already; name a new directory");
    }
    return TemporaryDirectory.at(path);
  }

  private void demonstrate(Path directory, Writer out) throws IOException, InterruptedException {
    Path archive = directory.resolve("archive");
    Path store = directory.resolve("store");
    SimulationSettings simulated = SimulationSettings.of(Preset.DEMO, archive);
    ZoneId zone = simulated.zone();
    DemoReport report =
        new DemoReport(
            LocalDate.ofInstant(simulated.start(), zone), zone, session.outShowsUnicode(), out);
    SimulationSummary logs = simulate(simulated);
    report.sizes(logs, backfill(archive, store));
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive).store(store).open()) {
      report.reading(reader);
    }
    if (keep.isGiven()) {
      SimulatedMetadata.write(simulated, directory.resolve("channels"));
      writeSettings(directory);
      report.nextSteps(directory);
    }
  }

  private static void writeSettings(Path directory) throws IOException {
    Files.writeString(
        directory.resolve("kblake.toml"), "archive = \"archive\"\nstore = \"store\"\n");
  }

  private SimulationSummary simulate(SimulationSettings settings)
      throws IOException, InterruptedException {
    try (Progress progress = session.progress("simulate", Simulation.expectedBytes(settings))) {
      return Simulation.run(settings, new SimulationProgress(progress));
    }
  }

  private BackfillSummary backfill(Path root, Path directory)
      throws IOException, InterruptedException {
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    BackfillSettings settings =
        new BackfillSettings(
            List.of(),
            TimeRange.ALL,
            Runtime.getRuntime().availableProcessors(),
            MEMORY_BYTES,
            0,
            WriteProfile.STANDARD);
    try (Store store =
            Store.openForWriting(directory, ExpectedStore.of(archive, StoreProfile.standard));
        BackfillReport report = new BackfillReport(session, "backfill")) {
      return new Backfill(archive, store, settings, report).run();
    }
  }
}
