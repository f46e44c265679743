package org.kblake.cli.command.status;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.Severity;
import org.kblake.cli.command.shared.WholeFile;
import org.kblake.cli.doctor.Diagnosis;
import org.kblake.cli.doctor.Examination;
import org.kblake.cli.doctor.InitialSettings;
import org.kblake.cli.doctor.UsualPlaces;
import org.kblake.cli.doctor.VolumeAccess;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.cli.settings.Settings;
import org.kblake.core.archive.FileTree;

/** {@code kblake doctor}: examines the surroundings of kblake, and writes a first settings file. */
public final class DoctorCommand implements Command {

  private static final Path FILE = Path.of("kblake.toml");

  private final Session session;
  private final CommandModel model =
      CommandModel.of("doctor", "Examine archive, store and machine, and say what to do.")
          .description(
              "",
              "Examines the settings, the archive and its groups, its file systems, the zone of its"
                  + " file names, the clock, the store and its disk, and the limits of the machine."
                  + " Each line has ok, warning, problem or unknown. A line that begins with -> says"
                  + " what to do.",
              "",
              "On the store's disk it measures an fsync and the speed of writing with a file of 64"
                  + " MiB, which it removes. It waits up to a minute for a volume that does not"
                  + " respond. It never writes to the archive.")
          .statuses(
              "0:no problem, perhaps warnings",
              "1:a problem",
              "2:wrong usage",
              "130:stopped by Ctrl-C")
          .footer(
              "  kblake doctor",
              "  kblake doctor --archive archive --store store --init --config another.toml");

  private final Flag init =
      model.flag(
          "Write the archive and the store that are named, or found in usual places, to a new"
              + " kblake.toml, or to the file of --config.",
          "--init");

  public DoctorCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    return Stoppable.run(session, "nothing was changed", this::examine);
  }

  private int examine() throws IOException {
    List<Diagnosis> all = new ArrayList<>();
    List<String> wrongKeys = new ArrayList<>();
    Path file = init.isSet() ? newFile() : null;
    Settings settings;
    try {
      settings =
          file != null && session.config() != null
              ? session.settingsWithoutFile()
              : session.readSettings(null, wrongKeys::add);
    } catch (UsageException e) {
      print(all, problem(String.valueOf(e.getMessage())));
      return end(all);
    }
    try (VolumeAccess volumes = new VolumeAccess()) {
      UsualPlaces usual = new UsualPlaces(volumes.files());
      Path here = absolute(session.path(Path.of("")));
      boolean named = settings.isSet(CommonSetting.ARCHIVE);
      Path archive = named ? absolute(settings.archive()) : null;
      Path store = settings.hasStore() ? absolute(settings.store()) : null;
      if (file != null) {
        archive = archive == null ? only(usual.archives(here)) : archive;
        store = store == null ? first(usual.stores(here)) : store;
      }
      Examination examination =
          new Examination(
              settings,
              wrongKeys,
              volumes,
              session.environment().variables(),
              diagnosis -> print(all, diagnosis));
      examination.run(archive, store, here, session.now());
      int status = end(all);
      if (file != null) {
        if (archive == null || !examination.hasArchive()) {
          throw new RequestException(
              "no settings are written without an archive; name it with --archive DIR");
        }
        boolean given = !settings.source(CommonSetting.ZONE).equals("default");
        String zone = given ? null : examination.fittingZone();
        write(file, archive, store, Objects.requireNonNullElse(zone, settings.zoneName()));
      }
      return status;
    }
  }

  private static Diagnosis problem(String found) {
    return new Diagnosis(
        "settings", Severity.CRITICAL, found, "the rest is examined after the correction");
  }

  private static @Nullable Path first(List<Path> found) {
    return found.isEmpty() ? null : found.get(0);
  }

  private static @Nullable Path only(List<Path> found) {
    if (found.size() > 1) {
      throw new RequestException(
          "several archives are found; name one with --archive: "
              + String.join(", ", found.stream().map(Path::toString).toList()));
    }
    return first(found);
  }

  private void print(List<Diagnosis> all, Diagnosis diagnosis) throws IOException {
    all.add(diagnosis);
    print(DiagnosisText.of(diagnosis, session.outIsColored()));
  }

  private void print(String text) throws IOException {
    session.out().write(text.getBytes(StandardCharsets.UTF_8));
    session.out().flush();
  }

  private int end(List<Diagnosis> all) throws IOException {
    print("\n" + DiagnosisText.verdict(all) + "\n");
    return all.stream().anyMatch(diagnosis -> diagnosis.severity() == Severity.CRITICAL)
        ? ExitStatus.NOT_ANSWERED
        : ExitStatus.DONE;
  }

  /**
   * Returns the settings file to write.
   *
   * @throws RequestException if it exists
   */
  private Path newFile() {
    Path config = session.config();
    Path file = absolute(session.path(config == null ? FILE : config));
    if (Files.exists(file)) {
      throw new RequestException(
          "settings file exists and is not changed: file="
              + file
              + "; edit it, or name a new file with --config FILE");
    }
    return file;
  }

  private void write(Path file, Path archive, @Nullable Path store, String zone)
      throws IOException {
    if (new FileTree(archive).holds(file)) {
      throw new RequestException(
          "settings file is not written into the archive: file="
              + file
              + "; change to another directory, or name a file with --config FILE");
    }
    InitialSettings initial = new InitialSettings(archive, store, zone);
    WholeFile.create(file, initial.text());
    StringBuilder next = new StringBuilder("\nWrote " + file + ". Next:\n");
    if (session.config() != null) {
      next.append("  export KBLAKE_CONFIG=").append(file).append('\n');
    }
    if (store == null) {
      next.append("  name the store in it, a directory on a local disk\n");
    }
    next.append("  kblake channels              # lists what is recorded\n")
        .append("  kblake backfill --dry-run    # estimates time and size of the columns\n")
        .append("  kblake backfill              # writes columns\n");
    print(next.toString());
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }
}
