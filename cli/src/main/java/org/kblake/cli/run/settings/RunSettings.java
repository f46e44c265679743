package org.kblake.cli.run.settings;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.settings.SettingName;
import org.kblake.cli.settings.Settings;
import org.kblake.cli.settings.TrustedFile;
import org.kblake.cli.settings.UnexpectedValue;
import org.kblake.core.internal.log.file.FileTree;
import org.kblake.core.internal.names.NearestNames;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;

/**
 * The settings of {@code kblake run}. Options precede the table {@code run} of the settings file.
 */
public final class RunSettings {

  private static final String GROUP = "group";
  private static final String MODE = "mode";

  /** The settings that are the longest time without an event of a group. */
  private static final List<RunSetting> LIMITS =
      List.of(RunSetting.STALE_WARNING, RunSetting.STALE_CRITICAL);

  private static final List<String> KEYS_OF_GROUP =
      List.of(MODE, RunSetting.STALE_WARNING.key(), RunSetting.STALE_CRITICAL.key());

  private final Map<RunSetting, Value> values = new EnumMap<>(RunSetting.class);
  private final Map<Group, Mode> modes = new TreeMap<>();
  private final Map<Group, Map<RunSetting, Value>> limits = new TreeMap<>();
  private final Settings settings;
  private final String where;
  private final Consumer<String> problems;
  private @Nullable TokenFile tokenFile;

  /**
   * The value of a setting.
   *
   * @param text the text; null if it is not set
   * @param parsed the parsed value; null if it is not set
   * @param source the origin of the value
   */
  private record Value(@Nullable String text, @Nullable Object parsed, String source) {}

  /**
   * A setting as text.
   *
   * @param key the key, with the names of its tables
   */
  public record Line(String key, String value, String source) {}

  /** Returns the name of the settings file, or null if there is none. */
  public @Nullable Path file() {
    return settings.file();
  }

  private RunSettings(Settings settings, Consumer<String> problems) {
    this.settings = settings;
    this.where = String.valueOf(settings.file());
    this.problems = problems;
  }

  /**
   * Resolves the settings.
   *
   * @param settings the settings of all commands, whose file is read
   * @param options the values of the given options
   * @param problems gets a line on each wrong value; the default then applies
   */
  public static RunSettings of(
      Settings settings, Map<RunSetting, String> options, Consumer<String> problems) {
    RunSettings run = new RunSettings(settings, problems);
    for (RunSetting setting : RunSetting.values()) {
      String preset = setting.preset();
      run.values.put(
          setting,
          new Value(
              preset,
              preset == null ? null : setting.form().parse(preset),
              preset == null ? "not set" : "default"));
    }
    settings.run().forEach((key, value) -> run.fromFile(String.valueOf(key), value));
    options.forEach(
        (setting, text) ->
            run.put(setting, text, "--" + setting.key(), "--" + setting.key() + ": "));
    run.check();
    return run;
  }

  private void fromFile(String key, Object value) {
    RunSetting setting = RunSetting.ofKey(key);
    if (setting != null) {
      put(setting, value, where, place(key) + ": run." + key + ": ");
    } else if (key.equals(GROUP) && value instanceof Map<?, ?> groups) {
      groups.forEach((group, table) -> group(String.valueOf(group), table));
    } else {
      unknown(place(key), "run." + key, key, RunSetting.keys());
    }
  }

  private void put(RunSetting setting, Object value, String source, String place) {
    Object parsed = parsed(setting.form(), value, place);
    if (parsed != null) {
      values.put(setting, new Value(String.valueOf(value), parsed, source));
    }
  }

  /** Parses a value. Reports a wrong value and returns null. */
  private @Nullable Object parsed(SettingForm form, Object value, String place) {
    boolean number = form.isNumber() && value instanceof UnexpectedValue;
    if (!(value instanceof String) && !number) {
      problems.accept(place + "must be a text in quotes, found " + value);
      return null;
    }
    try {
      return form.parse(value.toString());
    } catch (IllegalArgumentException e) {
      problems.accept(place + e.getMessage());
      return null;
    }
  }

  private void group(String name, Object table) {
    String place = "run.group.\"" + name + "\"";
    Group group;
    try {
      group = Group.parse(name);
    } catch (IllegalArgumentException e) {
      problems.accept(place(GROUP, name) + ": " + place + ": " + e.getMessage());
      return;
    }
    if (!(table instanceof Map<?, ?> entries)) {
      problems.accept(place(GROUP, name) + ": " + place + " must be a table, found " + table);
      return;
    }
    entries.forEach(
        (key, value) -> {
          String line = place(GROUP, name, String.valueOf(key));
          RunSetting setting = RunSetting.ofKey(String.valueOf(key));
          if (setting == null || !KEYS_OF_GROUP.contains(setting.key())) {
            unknown(line, place + "." + key, String.valueOf(key), KEYS_OF_GROUP);
            return;
          }
          Object parsed = parsed(setting.form(), value, line + ": " + place + "." + key + ": ");
          if (parsed instanceof Mode mode) {
            modes.put(group, mode);
          } else if (parsed != null) {
            limits
                .computeIfAbsent(group, added -> new EnumMap<>(RunSetting.class))
                .put(setting, new Value(String.valueOf(value), parsed, where));
          }
        });
  }

  /** Returns the file and the line of a key in the table {@code run}. */
  private String place(String... keys) {
    List<String> path = new ArrayList<>(List.of("run"));
    path.addAll(List.of(keys));
    return settings.place(path);
  }

  /** Returns the origin of a setting for messages, with the line if it is in a file. */
  public String place(RunSetting setting) {
    String source = value(setting).source;
    return source.equals(where) ? place(setting.key()) : source;
  }

  private void unknown(String line, String place, String key, List<String> keys) {
    problems.accept(
        "%s: unknown key '%s'%s (keys: %s)"
            .formatted(line, place, NearestNames.hint(key, keys), String.join(", ", keys)));
  }

  private void check() {
    if (bytes(RunSetting.MEMORY) < BackfillSettings.MIN_MEMORY_BYTES) {
      problems.accept(
          place(RunSetting.MEMORY)
              + ": memory must be at least 16M, found "
              + value(RunSetting.MEMORY).text);
    }
    for (RunSetting setting :
        List.of(RunSetting.SEAL_BYTES, RunSetting.IO_LIMIT, RunSetting.BUDGET)) {
      if (value(setting).parsed != null && bytes(setting) == 0) {
        problems.accept(place(setting) + ": " + setting.key() + " must be more than 0");
      }
    }
    checkMirror();
    checkListen();
  }

  /** Returns a line if every user of this host can read the token. */
  public List<String> readableSecrets() {
    Path file = directory(RunSetting.TOKEN_FILE);
    return file == null ? List.of() : TrustedFile.readableByAll(List.of(file));
  }

  /** Checks that other hosts need a token, and reads it. */
  private void checkListen() {
    Path file = directory(RunSetting.TOKEN_FILE);
    if (file != null) {
      try {
        tokenFile = TokenFile.of(file);
      } catch (UsageException e) {
        problems.accept(place(RunSetting.TOKEN_FILE) + ": " + e.getMessage());
      }
    }
    ListenAddress listen = listen();
    if (listen != null && file == null && !isOn(RunSetting.INSECURE) && !listen.isLoopback()) {
      problems.accept(
          place(RunSetting.LISTEN)
              + ": other hosts can reach "
              + listen
              + ", and there is no token; set token-file, or insecure = \"yes\"");
    }
  }

  /** Checks that the mirror is on a local disk, and outside of archive and store. */
  private void checkMirror() {
    Path mirror = directory(RunSetting.MIRROR);
    if (mirror == null) {
      return;
    }
    String place = place(RunSetting.MIRROR) + ": mirror ";
    for (SettingName other : List.of(SettingName.ARCHIVE, SettingName.STORE)) {
      String directory = settings.get(other).value();
      if (directory != null) {
        checkApart(place, mirror, other, settings.resolve(Path.of(directory)));
      }
    }
    try {
      if (!new FileTree(mirror).isLocal()) {
        problems.accept(place + "must be on a local disk, found " + mirror);
      }
    } catch (IOException e) {
      problems.accept(place + "cannot be read: " + e);
    }
  }

  private void checkApart(String place, Path mirror, SettingName other, Path directory) {
    try {
      if (new FileTree(directory).meets(mirror)) {
        problems.accept(place + "must be outside of the " + other.key() + ", found " + mirror);
      }
    } catch (IOException e) {
      // Another check reports that the other directory cannot be read
    }
  }

  /** Returns a setting that is a duration. */
  public Duration duration(RunSetting setting) {
    return (Duration) parsed(setting);
  }

  /** Returns a setting that is a size in bytes; 0 if it is not set. */
  public long bytes(RunSetting setting) {
    Object bytes = value(setting).parsed;
    return bytes == null ? 0 : (Long) bytes;
  }

  /** Returns a setting that is a directory or a file; null if it is not set. */
  public @Nullable Path directory(RunSetting setting) {
    Path written = (Path) value(setting).parsed;
    return written == null ? null : settings.resolve(written);
  }

  /** Returns a setting that is a number. */
  public int count(RunSetting setting) {
    return (Integer) parsed(setting);
  }

  /** Returns whether a setting has a value. */
  public boolean isSet(RunSetting setting) {
    return value(setting).parsed != null;
  }

  /** Returns whether the store has a limit, so that it does not fill its disk. */
  public boolean isBounded() {
    return bytes(RunSetting.BUDGET) > 0 || bytes(RunSetting.FREE) > 0;
  }

  /** Returns a setting that is yes or no. */
  public boolean isOn(RunSetting setting) {
    return (Boolean) parsed(setting);
  }

  /** Returns a setting that is one of a few names. */
  public <T extends Enum<T>> T constant(RunSetting setting, Class<T> type) {
    return type.cast(parsed(setting));
  }

  /** Returns the tokens that clients of the metrics send; null if they need none. */
  public @Nullable TokenFile tokenFile() {
    return tokenFile;
  }

  public @Nullable ListenAddress listen() {
    return (ListenAddress) value(RunSetting.LISTEN).parsed;
  }

  /** Returns the mode of a group as settings name it. */
  public String modeOf(Group group) {
    return SettingForm.name(modes.getOrDefault(group, constant(RunSetting.MODE, Mode.class)));
  }

  /** Returns the groups that have settings of their own, and the places of their tables. */
  public Map<Group, String> groupPlaces() {
    Map<Group, String> places = new TreeMap<>();
    for (Map<Group, ?> named : List.of(modes, limits)) {
      named.keySet().forEach(group -> places.put(group, place(GROUP, group.toString())));
    }
    return places;
  }

  /** Returns a setting's text as it is written; null if it is not set. */
  public @Nullable String written(RunSetting setting) {
    return value(setting).text;
  }

  /** Returns the modes that are set for single groups. */
  public Map<Group, Mode> modes() {
    return Map.copyOf(modes);
  }

  /**
   * The longest times without an event of a group.
   *
   * @param warning null for no limit
   * @param critical null for no limit
   */
  public record StaleLimits(@Nullable Duration warning, @Nullable Duration critical) {}

  /** Returns the limits that are set for a group; null if there is none. */
  public @Nullable StaleLimits staleLimits(Group group) {
    Map<RunSetting, Value> own = limits.get(group);
    return own == null ? null : limits(own);
  }

  /** Returns the limits that are set for all groups; null if there is none. */
  public @Nullable StaleLimits staleLimits() {
    return LIMITS.stream().anyMatch(this::isSet) ? limits(values) : null;
  }

  private static StaleLimits limits(Map<RunSetting, Value> set) {
    return new StaleLimits(
        limit(set.get(RunSetting.STALE_WARNING)), limit(set.get(RunSetting.STALE_CRITICAL)));
  }

  private static @Nullable Duration limit(@Nullable Value value) {
    return value == null || SettingForm.NEVER.equals(value.parsed) ? null : (Duration) value.parsed;
  }

  private Object parsed(RunSetting setting) {
    return Objects.requireNonNull(value(setting).parsed);
  }

  private Value value(RunSetting setting) {
    return Objects.requireNonNull(values.get(setting));
  }

  /** Returns all settings in the order of {@link RunSetting}, then those of single groups. */
  public List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    values.forEach(
        (setting, value) ->
            lines.add(
                new Line(
                    "run." + setting.key(), value.text == null ? "-" : value.text, value.source)));
    modes.forEach(
        (group, mode) ->
            lines.add(
                new Line("run.group.\"" + group + "\"." + MODE, SettingForm.name(mode), where)));
    limits.forEach(
        (group, own) ->
            own.forEach(
                (setting, value) ->
                    lines.add(
                        new Line(
                            "run.group.\"" + group + "\"." + setting.key(),
                            String.valueOf(value.text),
                            where))));
    return lines;
  }
}
