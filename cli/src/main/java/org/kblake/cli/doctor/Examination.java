package org.kblake.cli.doctor;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.access.CertificateFiles;
import org.kblake.cli.access.ServerAccess;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.check.Severity;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.extension.ExtensionWord;
import org.kblake.cli.gather.GatherSettings;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.serve.ServeSettings;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.cli.settings.Settings;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.LocalDisks;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;

/**
 * Examines settings, archive, store and machine. Nothing waits for a volume without a limit.
 * Nothing is written below the archive. In the directory of the store, a file is written and
 * removed.
 */
public final class Examination {

  private static final long ARCHIVE_SECONDS = 60;
  private static final long STORE_SECONDS = 20;
  private static final long WATCH_SECONDS = 10;

  private static final int MAX_MOUNTS = 6;

  private final Settings settings;
  private final RunSettings run;
  private final ServeSettings serve;
  private final @Nullable GatherSettings gather;
  private final VolumeAccess volumes;
  private final Map<String, String> variables;
  private final Listener diagnoses;
  private final List<String> wrongSettings = new ArrayList<>();
  private @Nullable ArchiveSurvey survey;

  /** Gets results. */
  public interface Listener {
    /** Gets a result as soon as it is known. */
    void accept(Diagnosis diagnosis) throws IOException;
  }

  /**
   * @param wrongKeys lines on wrong keys of the settings file
   * @param variables the environment variables
   * @param diagnoses gets each result as soon as it is known
   */
  public Examination(
      Settings settings,
      List<String> wrongKeys,
      VolumeAccess volumes,
      Map<String, String> variables,
      Listener diagnoses) {
    this.settings = settings;
    this.volumes = volumes;
    this.variables = variables;
    this.diagnoses = diagnoses;
    wrongSettings.addAll(wrongKeys);
    run = RunSettings.of(settings, Map.of(), wrongSettings::add);
    serve = ServeSettings.of(settings, Map.of(), wrongSettings::add);
    gather =
        settings.placeOfTable(GatherSettings.NAME) == null
            ? null
            : GatherSettings.of(settings, Map.of(), wrongSettings::add);
  }

  /**
   * Examines everything.
   *
   * @param archive null if none is named
   * @param store null if none is named
   * @param workingDirectory the directory near which archives are looked for
   * @throws InterruptedIOException if the thread is interrupted; then nothing is left in the store
   */
  public void run(@Nullable Path archive, @Nullable Path store, Path workingDirectory, Instant now)
      throws IOException {
    settings();
    tokens("kblake run", run.tokenFile(), now);
    access("kblake serve", serve.files(), now);
    if (gather != null) {
      access("kblake gather", gather.access(), now);
    }
    MountTable mounts = MountTable.ofProcess();
    // A wrong zone or time would stop the archive
    if (settings.problems().isEmpty()) {
      metadata();
      if (archive(archive, workingDirectory, mounts, now)) {
        store(archive, store, mounts);
      } else {
        diagnoses.accept(
            Diagnosis.unknown("store", "not examined, because the archive does not answer"));
      }
    }
    recorder();
    ArchiveSurvey found = survey;
    if (found != null && found.isResponsive()) {
      add(
          "watches",
          () ->
              volumes.within(
                  WATCH_SECONDS, found.archive().root(), () -> HostMachine.watches(found)));
    }
    int groups = found == null ? 0 : found.groups().groups().size();
    addIfKnown(HostMachine.openFiles(groups));
    diagnoses.accept(HostMachine.java());
    addIfKnown(
        HostMachine.memory(
            groups, found == null ? 0 : found.channels(), run.bytes(RunSetting.MEMORY)));
  }

  /** Returns a zone that agrees with the names of the newest logs; null if none shows it. */
  public @Nullable String fittingZone() {
    return survey == null ? null : ArchiveRules.fitting(survey);
  }

  /** Returns whether the archive has groups. */
  public boolean hasArchive() {
    return survey != null && !survey.groups().groups().isEmpty();
  }

  private void addIfKnown(@Nullable Diagnosis diagnosis) throws IOException {
    if (diagnosis != null) {
      diagnoses.accept(diagnosis);
    }
  }

  private interface Work {
    Diagnosis run() throws IOException;
  }

  private void add(String subject, Work work) throws IOException {
    try {
      diagnoses.accept(work.run());
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      diagnoses.accept(new Diagnosis(subject, Severity.UNKNOWN, ErrorLine.of(e), null));
    }
  }

  private void settings() throws IOException {
    DirectorySettings directories =
        new DirectorySettings(settings, run, variables, volumes.files());
    Set<String> problems = new LinkedHashSet<>(wrongSettings);
    problems.addAll(settings.problems());
    problems.addAll(directories.literalPaths());
    problems.addAll(directories.unknownGroups());
    Path file = settings.file();
    if (problems.isEmpty()) {
      diagnoses.accept(
          file == null
              ? Diagnosis.ok("settings", "no kblake.toml; options, environment and defaults apply")
              : Diagnosis.ok("settings", file.toAbsolutePath().toString()));
    }
    for (String problem : problems) {
      diagnoses.accept(
          Diagnosis.problem("settings", problem, "kblake config check shows all settings"));
    }
  }

  private void recorder() throws IOException {
    if (settings.placeOfTable(ExtensionTable.RECORD) == null) {
      return;
    }
    ExtensionTable table = ExtensionTable.of(ExtensionTable.RECORD);
    if (table == null) {
      diagnoses.accept(
          Diagnosis.warning(
              ExtensionTable.RECORD,
              "the settings have [record], and the recorder is not installed",
              ExtensionWord.installation(ExtensionTable.RECORD)));
    } else if (settings.problems().isEmpty()
        && settings.isSet(CommonSetting.ARCHIVE)
        && survey != null) {
      addAll(
          ExtensionTable.RECORD, survey.archive().root(), () -> table.examine(settings, variables));
    }
  }

  private void losses(ArchiveSurvey found, Instant now) throws IOException {
    Archive archive = found.archive();
    addAll(
        "ledger",
        archive.root(),
        () -> {
          try (ArchiveReader reader =
              ArchiveReader.builder().archive(archive.root()).settings(archive.settings()).open()) {
            long to = TimeUnit.SECONDS.toNanos(now.getEpochSecond());
            TimeRange day = new TimeRange(to - TimeUnit.DAYS.toNanos(1), to);
            Diagnosis judged =
                ArchiveRules.losses(
                    reader.losses(found.groups().groups(), day), settings.outZone());
            return judged == null ? List.of() : List.of(judged);
          }
        });
  }

  private void addAll(String subject, Path root, FileAccess.Call<List<Diagnosis>> work)
      throws IOException {
    List<Diagnosis> all;
    try {
      all = volumes.within(STORE_SECONDS, root, work);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      all = List.of(new Diagnosis(subject, Severity.UNKNOWN, ErrorLine.of(e), null));
    }
    for (Diagnosis each : all) {
      diagnoses.accept(each);
    }
  }

  private void tokens(String service, @Nullable TokenFile file, Instant now) throws IOException {
    if (file != null) {
      diagnoses.accept(AccessRules.judge(service, file, now));
    }
  }

  private void access(String service, ServerAccess files, Instant now) throws IOException {
    tokens(service, files.tokens(), now);
    CertificateFiles certificate = files.certificate();
    if (certificate != null) {
      diagnoses.accept(AccessRules.judge(certificate, now));
    }
  }

  private void metadata() throws IOException {
    if (settings.metadata() == null) {
      return;
    }
    MetadataFiles found = MetadataFiles.of(settings);
    for (String problem : found.problems()) {
      diagnoses.accept(
          Diagnosis.warning("metadata", problem, "correct the file, as docs/channels.md says"));
    }
    if (found.problems().isEmpty()) {
      diagnoses.accept(
          Diagnosis.ok("metadata", found.files() + " files, " + found.channels() + " channels"));
    }
  }

  /** Returns whether the archive's root responds. */
  private boolean archive(
      @Nullable Path root, Path workingDirectory, MountTable mounts, Instant now)
      throws IOException {
    if (root == null) {
      List<Path> found = new UsualPlaces(volumes.files()).archives(workingDirectory);
      diagnoses.accept(ArchiveRules.notSet(found));
      diagnoses.accept(ArchiveRules.clock(null, now, HostMachine.isSynchronised()));
      return true;
    }
    ArchiveSettings archiveSettings = settings.archiveSettings();
    ArchiveSurvey found;
    try {
      found =
          volumes.within(
              ARCHIVE_SECONDS,
              root,
              () ->
                  ArchiveSurvey.of(
                      Archive.open(root, archiveSettings, volumes.files()),
                      !settings.isSet(CommonSetting.STORE) ? null : Mirror.of(settings.store())));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      diagnoses.accept(
          Diagnosis.problem(
              "archive",
              ErrorLine.of(e).replace("archive is unavailable: root=" + root + ", file=", ""),
              "name the directory that has SYS/KEKBLog.list: --archive DIR"));
      diagnoses.accept(ArchiveRules.clock(null, now, HostMachine.isSynchronised()));
      return !(e instanceof FileAccess.AccessTimeoutException)
          && !(e.getCause() instanceof FileAccess.AccessTimeoutException);
    }
    survey = found;
    List<Path> nearby =
        found.groups().groups().isEmpty() ? new UsualPlaces(volumes.files()).near(root) : List.of();
    diagnoses.accept(ArchiveRules.contents(found, nearby, now, settings.outZone()));
    mounts(found, mounts, archiveSettings);
    if (hasArchive()) {
      diagnoses.accept(
          ArchiveRules.zone(
              found, settings.zone(), settings.zoneName(), settings.source(CommonSetting.ZONE)));
    }
    diagnoses.accept(ArchiveRules.clock(found.newest(), now, HostMachine.isSynchronised()));
    if (found.isResponsive()) {
      losses(found, now);
    }
    return true;
  }

  private void mounts(ArchiveSurvey found, MountTable mounts, ArchiveSettings archiveSettings)
      throws IOException {
    Set<Diagnosis> distinct = new LinkedHashSet<>();
    for (Path place : found.places()) {
      distinct.add(ArchiveMount.of(mounts.of(place), archiveSettings.tail()));
    }
    for (Diagnosis each : distinct.stream().limit(MAX_MOUNTS).toList()) {
      diagnoses.accept(each);
    }
    if (distinct.size() > MAX_MOUNTS) {
      diagnoses.accept(
          Diagnosis.ok("mount", "and " + (distinct.size() - MAX_MOUNTS) + " more file systems"));
    }
  }

  private void store(@Nullable Path archive, @Nullable Path store, MountTable mounts)
      throws IOException {
    if (store == null) {
      diagnoses.accept(StoreExamination.notSet().diagnosis());
      return;
    }
    StoreExamination state;
    try {
      ArchiveSettings archiveSettings = settings.archiveSettings();
      state =
          volumes.within(
              STORE_SECONDS, store, () -> StoreExamination.of(store, archive, archiveSettings));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      diagnoses.accept(
          Diagnosis.problem("store", ErrorLine.of(e), "name another directory: --store DIR"));
      return;
    }
    diagnoses.accept(state.diagnosis());
    if (state.disk() != null) {
      boolean usable = state.diagnosis().severity() != Severity.CRITICAL;
      disk(state.disk(), usable, state.writable(), mounts.of(state.disk()));
    }
  }

  private record Room(long freeBytes, long totalBytes) {}

  private void disk(Path disk, boolean usable, boolean writable, @Nullable Mount mount)
      throws IOException {
    Room room;
    try {
      room = volumes.within(STORE_SECONDS, disk, () -> room(disk));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      diagnoses.accept(Diagnosis.problem("disk", ErrorLine.of(e), "check the disk of the store"));
      return;
    }
    diagnoses.accept(
        StoreDisk.disk(mount, room.freeBytes(), room.totalBytes(), run.get(RunSetting.RETAIN)));
    if (!usable || mount != null && mount.isReadOnly()) {
      return;
    }
    if (!writable) {
      diagnoses.accept(StoreDisk.notMeasured("this user may not write to " + disk));
    } else if (mount != null && mount.isInMemory()) {
      diagnoses.accept(StoreDisk.notMeasured("the disk is memory"));
    } else if (room.freeBytes() < StoreDisk.FULL_BELOW_BYTES + DiskMeasurement.LARGEST_BYTES) {
      diagnoses.accept(StoreDisk.notMeasured("the disk has too little room"));
    } else {
      measure(disk, mount);
    }
  }

  private static Room room(Path disk) throws IOException {
    FileStore files = Files.getFileStore(disk);
    return new Room(files.getUsableSpace(), files.getTotalSpace());
  }

  private void measure(Path disk, @Nullable Mount mount) throws IOException {
    try {
      DiskMeasurement measured =
          volumes.within(
              STORE_SECONDS, disk, () -> DiskMeasurement.in(disk, DiskMeasurement.LARGEST_BYTES));
      boolean network = mount != null && !LocalDisks.isLocalType(mount.type());
      diagnoses.accept(StoreDisk.fsync(measured.fsyncNanos(), network));
      diagnoses.accept(StoreDisk.write(measured.bytes(), measured.nanos()));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      diagnoses.accept(
          Diagnosis.problem(
              "write", "cannot be written: " + ErrorLine.of(e), "check the disk of the store"));
    }
  }
}
