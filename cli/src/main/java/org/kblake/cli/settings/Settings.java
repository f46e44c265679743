package org.kblake.cli.settings;

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
import org.kblake.cli.argument.DurationArgument;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.archive.Zones;
import org.kblake.core.internal.log.archive.Archive;

/** Every setting's value and source: options, else the environment, else a file, else a preset. */
public final class Settings {

  private final Map<SettingName, Setting> all = new EnumMap<>(SettingName.class);
  private final @Nullable Path file;
  private final Map<?, ?> run;
  private final Path workingDirectory;

  private Settings(@Nullable SettingsFile file, Path workingDirectory) {
    this.file = file == null ? null : file.path();
    this.run = file == null ? Map.of() : file.run();
    this.workingDirectory = workingDirectory;
  }

  /**
   * Resolves all settings.
   *
   * @param options values of options that were given
   * @param config what --config says, or null
   * @throws UsageException if the settings file is not as it should be
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
   * @param problems gets a line on each key of the file that is not as it should be; it counts as
   *     not there
   * @throws UsageException if the settings file cannot be read at all
   */
  public static Settings resolve(
      Map<SettingName, String> options,
      @Nullable Path config,
      ProcessEnvironment environment,
      Consumer<String> problems) {
    SettingsFile file = SettingsFile.find(config, environment, problems);
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

  /** All settings in the order of {@link SettingName}. */
  public List<Setting> all() {
    return new ArrayList<>(all.values());
  }

  /** The settings file that counts, or null if there is none. */
  public @Nullable Path file() {
    return file;
  }

  /**
   * What the file's table {@code run} holds, not looked at yet: texts as String, tables as Map,
   * others as {@link UnexpectedValue}.
   */
  public Map<?, ?> run() {
    return run;
  }

  /**
   * The archive's directory.
   *
   * @throws UsageException if none is set
   */
  public Path archive() {
    return directory(SettingName.ARCHIVE);
  }

  /**
   * The store's directory.
   *
   * @throws UsageException if none is set
   */
  public Path store() {
    return directory(SettingName.STORE);
  }

  /** A directory as it was written, seen from the working directory. */
  public Path resolve(Path written) {
    return workingDirectory.resolve(written);
  }

  /** Whether a store is set; without one every answer comes from the raw logs. */
  public boolean hasStore() {
    return get(SettingName.STORE).value() != null;
  }

  /**
   * The archive's zone.
   *
   * @throws UsageException if there is no such zone
   */
  public ZoneId zone() {
    Setting setting = get(SettingName.ZONE);
    try {
      return Zones.of(required(setting));
    } catch (DateTimeException e) {
      throw new UsageException(
          setting.source() + ": no such time zone: " + setting.value() + " (say Asia/Tokyo)", e);
    }
  }

  /**
   * A setting that is a stretch of time.
   *
   * @throws UsageException if its text is none
   */
  public Duration duration(SettingName name) {
    Setting setting = get(name);
    try {
      return DurationArgument.parse(required(setting));
    } catch (IllegalArgumentException e) {
      throw new UsageException(setting.source() + ": " + name.key() + ": " + e.getMessage(), e);
    }
  }

  /**
   * What the settings say of the archive, whichever it is.
   *
   * @throws UsageException if one of them makes no sense
   */
  public ArchiveSettings archiveSettings() {
    return ArchiveSettings.defaults()
        .withZone(zone(), required(get(SettingName.ZONE)))
        .withDisorderBoundNanos(duration(SettingName.DISORDER_BOUND).toNanos())
        .withClosedAfterNanos(duration(SettingName.CLOSED_AFTER).toNanos())
        .withTail(tail())
        .withSettleNanos(duration(SettingName.SETTLE).toNanos());
  }

  /** What makes no sense among those that say more than where something is, one line each. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    List<Runnable> checks =
        List.of(
            this::zone,
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
   * @throws UnavailableException if it is no directory that can be read
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
        setting.source() + ": tail is auto, final or provisional, found " + setting.value());
  }

  /** A setting's present value and source. */
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
