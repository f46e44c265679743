package org.kblake.cli.settings;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;

/**
 * The values and origins of the settings of all commands. Options precede the environment, the
 * settings file, and defaults. A wrong value is an error when it is used.
 */
public final class Settings extends TableValues {

  private final Map<SettingKey<?>, RuntimeException> wrong = new LinkedHashMap<>();

  private Settings(@Nullable SettingsFile file, Path workingDirectory) {
    super(CommonSetting.TABLE, file, workingDirectory, problem -> {});
  }

  /**
   * Resolves all settings.
   *
   * @param options the values of the given options
   * @param config the value of {@code --config}, or null
   * @throws UsageException if the settings file is wrong
   */
  public static Settings resolve(
      Map<SettingKey<?>, String> options, @Nullable Path config, ProcessEnvironment environment) {
    return resolve(
        options,
        config,
        environment,
        problem -> {
          throw new UsageException(problem);
        });
  }

  /**
   * Resolves all settings.
   *
   * @param problems gets a line on each wrong key of the file, which is then ignored
   * @throws UsageException if the settings file cannot be read at all
   */
  public static Settings resolve(
      Map<SettingKey<?>, String> options,
      @Nullable Path config,
      ProcessEnvironment environment,
      Consumer<String> problems) {
    return of(options, SettingsFile.find(config, environment, problems), environment);
  }

  /** Resolves all settings without a file. */
  public static Settings withoutFile(
      Map<SettingKey<?>, String> options, ProcessEnvironment environment) {
    return of(options, null, environment);
  }

  private static Settings of(
      Map<SettingKey<?>, String> options,
      @Nullable SettingsFile file,
      ProcessEnvironment environment) {
    Settings settings = new Settings(file, environment.workingDirectory());
    settings.putDefaults();
    for (SettingKey<?> key : CommonSetting.TABLE.keys()) {
      String option = options.get(key);
      String variable = key.variable();
      String ofVariable = variable == null ? null : environment.variables().get(variable);
      String ofFile = file == null ? null : file.value(key.name());
      if (option != null) {
        settings.put(key, option, "--" + key.name());
      } else if (variable != null && ofVariable != null && !ofVariable.isEmpty()) {
        settings.put(key, ofVariable, variable);
      } else if (file != null && ofFile != null) {
        settings.put(key, ofFile, file.path().toString());
      }
    }
    return settings;
  }

  @Override
  void addWrong(SettingKey<?> key, RuntimeException problem) {
    wrong.put(key, problem);
  }

  /** A directory of the file is shown with that of the file. */
  @Override
  @Nullable String shown(SettingKey<?> key) {
    String written = written(key);
    Path base = file();
    return base != null
            && written != null
            && CommonSetting.isDirectory(key)
            && isOfFile(source(key))
        ? base.resolveSibling(written).toString()
        : written;
  }

  /**
   * Returns the value of a key; null if it is not set.
   *
   * @throws UsageException if it is wrong
   */
  @Override
  public <T> @Nullable T find(SettingKey<T> key) {
    RuntimeException problem = wrong.get(key);
    if (problem != null) {
      throw problem;
    }
    return super.find(key);
  }

  /** Returns a line on each wrong setting. */
  public List<String> problems() {
    return wrong.values().stream().map(ErrorLine::of).toList();
  }

  /**
   * Returns the archive's directory.
   *
   * @throws UsageException if none is set
   */
  public Path archive() {
    return required(CommonSetting.ARCHIVE);
  }

  /** Returns the archive's directory; null if none is set. */
  public @Nullable Path archiveIfSet() {
    return path(CommonSetting.ARCHIVE);
  }

  /**
   * Returns the store's directory.
   *
   * @throws UsageException if none is set
   */
  public Path store() {
    return required(CommonSetting.STORE);
  }

  private Path required(SettingKey<Path> key) {
    Path path = path(key);
    if (path == null) {
      throw new UsageException(
          "no %s: give --%s DIR, set %s, or write %s = \"DIR\" into kblake.toml"
              .formatted(key.name(), key.name(), key.variable(), key.name()));
    }
    return path;
  }

  /**
   * Returns the folder with the metadata of channels, which may not exist. Unless one is set, this
   * is the folder {@code channels} beside the settings file, if it exists.
   *
   * @return null if there is none
   */
  public @Nullable Path metadata() {
    Path set = path(CommonSetting.METADATA);
    Path base = file();
    if (set != null || base == null) {
      return set;
    }
    Path beside = base.resolveSibling("channels");
    return Files.isDirectory(beside) ? beside : null;
  }

  /** Returns whether a store is set. Without a store, all answers come from raw logs. */
  public boolean hasStore() {
    return isSet(CommonSetting.STORE);
  }

  /**
   * Returns the archive's zone.
   *
   * @throws UsageException if the zone is unknown
   */
  public ZoneId zone() {
    return get(CommonSetting.ZONE);
  }

  /**
   * Returns the zone of printed times, and of times without offset on the command line.
   *
   * @throws UsageException if the zone is unknown
   */
  public ZoneId outZone() {
    ZoneId zone = find(CommonSetting.OUT_ZONE);
    return zone == null ? zone() : zone;
  }

  /** Returns the name of the archive's zone, as it is written. */
  public String zoneName() {
    return String.valueOf(written(CommonSetting.ZONE));
  }

  /**
   * Returns the settings of an archive.
   *
   * @throws UsageException if one of them is wrong
   */
  public ArchiveSettings archiveSettings() {
    return ArchiveSettings.defaults(zone(), zoneName())
        .withDisorderBoundNanos(get(CommonSetting.DISORDER_BOUND).toNanos())
        .withClosedAfterNanos(get(CommonSetting.CLOSED_AFTER).toNanos())
        .withTail(get(CommonSetting.TAIL))
        .withSettleNanos(get(CommonSetting.SETTLE).toNanos());
  }

  /**
   * Opens the archive.
   *
   * @throws UsageException if none is set
   * @throws UnavailableException if it is not a readable directory
   */
  public Archive openArchive() throws UnavailableException {
    return Archive.open(archive(), archiveSettings());
  }
}
