package org.kblake.cli.settings;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.format.argument.DurationArgument;

/**
 * The values and origins of all settings. Options precede the environment, the settings file, and
 * defaults.
 */
public final class Settings {

  private final Map<SettingName, Setting> all = new EnumMap<>(SettingName.class);
  private final @Nullable SettingsFile file;
  private final Path workingDirectory;

  private Settings(@Nullable SettingsFile file, Path workingDirectory) {
    this.file = file;
    this.workingDirectory = workingDirectory;
  }

  /**
   * Resolves all settings.
   *
   * @param options the values of the given options
   * @param config the value of {@code --config}, or null
   * @throws UsageException if the settings file is wrong
   */
  public static Settings resolve(
      Map<SettingName, String> options, @Nullable Path config, ProcessEnvironment environment) {
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
      Map<SettingName, String> options,
      @Nullable Path config,
      ProcessEnvironment environment,
      Consumer<String> problems) {
    return of(options, SettingsFile.find(config, environment, problems), environment);
  }

  /** Resolves all settings without a file. */
  public static Settings withoutFile(
      Map<SettingName, String> options, ProcessEnvironment environment) {
    return of(options, null, environment);
  }

  private static Settings of(
      Map<SettingName, String> options,
      @Nullable SettingsFile file,
      ProcessEnvironment environment) {
    Settings settings = new Settings(file, environment.workingDirectory());
    for (SettingName name : SettingName.values()) {
      settings.all.put(name, resolve(name, options, file, environment.variables()));
    }
    return settings;
  }

  private static Setting resolve(
      SettingName name,
      Map<SettingName, String> options,
      @Nullable SettingsFile file,
      Map<String, String> variables) {
    String option = options.get(name);
    if (option != null) {
      return new Setting(name, option, "--" + name.key());
    }
    String variable = name.variable();
    String fromVariable = variable == null ? null : variables.get(variable);
    if (variable != null && fromVariable != null && !fromVariable.isEmpty()) {
      return new Setting(name, fromVariable, variable);
    }
    String fromFile = file == null ? null : file.value(name);
    if (file != null && fromFile != null) {
      return new Setting(name, fromFile, file.path().toString());
    }
    return new Setting(name, name.preset(), name.preset() == null ? "not set" : "default");
  }

  /** Returns all settings in the order of {@link SettingName}. */
  public List<ShownSetting> lines() {
    return all.values().stream()
        .map(
            each ->
                new ShownSetting(
                    each.name().key(),
                    Objects.requireNonNullElse(each.value(), "-"),
                    each.source()))
        .toList();
  }

  /** Returns the settings file in use, or null if there is none. */
  public @Nullable Path file() {
    return file == null ? null : file.path();
  }

  /**
   * Returns the file and the line of a key for messages.
   *
   * @param keys the names of the tables, from the outermost, and the key
   */
  public String place(List<String> keys) {
    return file == null ? "" : file.place(keys);
  }

  /** Returns the origin of a setting for messages, with the line if it is in a file. */
  public String place(SettingName name) {
    return place(get(name));
  }

  private String place(Setting setting) {
    return file != null && isOfFile(setting)
        ? file.place(List.of(setting.name().key()))
        : setting.source();
  }

  private boolean isOfFile(Setting setting) {
    return file != null && setting.source().equals(file.path().toString());
  }

  /** Returns a setting's text as it is written, or null if it is not set. */
  public @Nullable String written(SettingName name) {
    Setting setting = get(name);
    return file != null && isOfFile(setting) ? file.written(name) : setting.value();
  }

  /** Returns a table of the file, not validated, as {@link SettingsTable} reads it. */
  Map<?, ?> table(String name) {
    return file == null ? Map.of() : file.table(name);
  }

  /**
   * Returns the archive's directory.
   *
   * @throws UsageException if none is set
   */
  public Path archive() {
    return directory(SettingName.ARCHIVE);
  }

  /** Returns the archive's directory; null if none is set. */
  public @Nullable Path archiveIfSet() {
    String value = get(SettingName.ARCHIVE).value();
    return value == null ? null : workingDirectory.resolve(value);
  }

  /**
   * Returns the store's directory.
   *
   * @throws UsageException if none is set
   */
  public Path store() {
    return directory(SettingName.STORE);
  }

  /**
   * Returns the folder with the metadata of channels, which may not exist. Unless one is set, this
   * is the folder {@code channels} beside the settings file, if it exists.
   *
   * @return null if there is none
   */
  public @Nullable Path metadata() {
    String value = get(SettingName.METADATA).value();
    if (value != null) {
      return workingDirectory.resolve(value);
    }
    Path beside = file == null ? null : file.path().resolveSibling("channels");
    return beside != null && Files.isDirectory(beside) ? beside : null;
  }

  /** Resolves a directory in the working directory. */
  public Path resolve(Path written) {
    return workingDirectory.resolve(written);
  }

  /** Returns whether a store is set. Without a store, all answers come from raw logs. */
  public boolean hasStore() {
    return get(SettingName.STORE).value() != null;
  }

  /**
   * Returns the archive's zone.
   *
   * @throws UsageException if the zone is unknown
   */
  public ZoneId zone() {
    return zone(get(SettingName.ZONE));
  }

  /**
   * Returns the zone of printed times, and of times without offset on the command line.
   *
   * @throws UsageException if the zone is unknown
   */
  public ZoneId outZone() {
    Setting setting = get(SettingName.OUT_ZONE);
    return setting.value() == null ? zone() : zone(setting);
  }

  private ZoneId zone(Setting setting) {
    try {
      return Zones.of(required(setting));
    } catch (DateTimeException e) {
      throw new UsageException(
          place(setting) + ": no such time zone: " + setting.value() + " (write Asia/Tokyo)", e);
    }
  }

  /** Returns the name of the archive's zone, as it is written. */
  public String zoneName() {
    return required(get(SettingName.ZONE));
  }

  /**
   * Returns a setting that is a duration.
   *
   * @throws UsageException if its text is not a duration
   */
  public Duration duration(SettingName name) {
    Setting setting = get(name);
    try {
      return DurationArgument.parse(required(setting));
    } catch (IllegalArgumentException e) {
      throw new UsageException(place(setting) + ": " + name.key() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns the settings of an archive.
   *
   * @throws UsageException if one of them is wrong
   */
  public ArchiveSettings archiveSettings() {
    return ArchiveSettings.defaults(zone(), zoneName())
        .withDisorderBoundNanos(duration(SettingName.DISORDER_BOUND).toNanos())
        .withClosedAfterNanos(duration(SettingName.CLOSED_AFTER).toNanos())
        .withTail(tail())
        .withSettleNanos(duration(SettingName.SETTLE).toNanos());
  }

  /** Returns a line on each wrong setting, except directories. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    List<Runnable> checks =
        List.of(
            this::zone,
            this::outZone,
            () -> duration(SettingName.DISORDER_BOUND),
            () -> duration(SettingName.CLOSED_AFTER),
            this::tail,
            () -> duration(SettingName.SETTLE),
            () -> duration(SettingName.LOOK_BACK));
    for (Runnable check : checks) {
      try {
        check.run();
      } catch (UsageException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    return problems;
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

  private TailRule tail() {
    Setting setting = get(SettingName.TAIL);
    for (TailRule rule : TailRule.values()) {
      if (rule.name().equalsIgnoreCase(setting.value())) {
        return rule;
      }
    }
    throw new UsageException(
        place(setting) + ": tail is auto, final or provisional, found " + setting.value());
  }

  /** Returns a setting's value and origin. */
  public Setting get(SettingName name) {
    return Objects.requireNonNull(all.get(name));
  }

  private Path directory(SettingName name) {
    return workingDirectory.resolve(required(get(name)));
  }

  private static String required(Setting setting) {
    String value = setting.value();
    if (value == null) {
      String key = setting.name().key();
      throw new UsageException(
          "no %s: give --%s DIR, set %s, or write %s = \"DIR\" into kblake.toml"
              .formatted(key, key, setting.name().variable(), key));
    }
    return value;
  }
}
