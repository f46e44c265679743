package org.kblake.cli.settings;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.core.internal.names.NearestNames;

/**
 * The settings file {@code kblake.toml}. It has the keys of {@link SettingName} with texts as
 * values, and the tables {@code run} and {@code serve}, which are not validated here. Only the
 * first existing file is read: {@code --config}, {@code KBLAKE_CONFIG}, the file in the working
 * directory, the file in {@code /etc/kblake}.
 */
final class SettingsFile {

  static final String VARIABLE = "KBLAKE_CONFIG";

  private static final String NAME = "kblake.toml";
  private static final String RUN = "run";
  private static final String SERVE = "serve";
  private static final Path SYSTEM_FILE = Path.of("/etc/kblake", NAME);

  private final Path path;
  private final String where;
  private final String text;
  private final Map<SettingName, String> values = new EnumMap<>(SettingName.class);
  private Map<?, ?> run = Map.of();
  private Map<?, ?> serve = Map.of();

  private SettingsFile(Path path, String where) {
    this.path = path;
    this.where = where;
    text = SettingsText.read(path, where);
  }

  /**
   * Finds and reads the settings file.
   *
   * @param option the value of {@code --config}, or null
   * @param problems gets a line on each wrong key, which is then ignored
   * @return null if there is no file
   * @throws UsageException if a named file does not exist or is not TOML, or if another user could
   *     have written the file
   */
  static @Nullable SettingsFile find(
      @Nullable Path option, ProcessEnvironment environment, Consumer<String> problems) {
    if (option != null) {
      return readOwn(environment.workingDirectory().resolve(option), "--config", problems);
    }
    String variable = environment.variables().get(VARIABLE);
    if (variable != null && !variable.isEmpty()) {
      return readOwn(environment.workingDirectory().resolve(variable), VARIABLE, problems);
    }
    Path found = environment.workingDirectory().resolve(NAME);
    if (Files.exists(found)) {
      return readOwn(found, null, problems);
    }
    if (Files.exists(SYSTEM_FILE)) {
      TrustedFile.checkWriters(SYSTEM_FILE);
      return read(SYSTEM_FILE, null, problems);
    }
    return null;
  }

  private static SettingsFile readOwn(
      Path path, @Nullable String namedBy, Consumer<String> problems) {
    TrustedFile.check(path);
    return read(path, namedBy, problems);
  }

  private static SettingsFile read(Path path, @Nullable String namedBy, Consumer<String> problems) {
    String where = namedBy == null ? path.toString() : path + " (" + namedBy + ")";
    SettingsFile file = new SettingsFile(path, where);
    TomlTable.parse(file.text, where).forEach((key, value) -> file.put(key, value, problems));
    return file;
  }

  private void put(String key, Object value, Consumer<String> problems) {
    if (key.equals(RUN) || key.equals(SERVE)) {
      if (!(value instanceof Map<?, ?> table)) {
        problems.accept(
            place(where, List.of(key))
                + ": "
                + key
                + " must be a table, ["
                + key
                + "], found "
                + value);
      } else if (key.equals(RUN)) {
        run = table;
      } else {
        serve = table;
      }
      return;
    }
    SettingName name = SettingName.ofKey(key);
    if (name == null) {
      problems.accept(place(where, List.of(key)) + ": " + unknownKey(key, SettingName.keys()));
    } else if (value instanceof String text) {
      values.put(name, text);
    } else {
      problems.accept(
          place(where, List.of(key)) + ": " + key + " must be a text in quotes, found " + value);
    }
  }

  static String unknownKey(String key, List<String> keys) {
    return "unknown key '"
        + key
        + "'"
        + NearestNames.hint(key, keys)
        + " (keys: "
        + String.join(", ", keys)
        + ")";
  }

  /**
   * Returns the table {@code run}. Texts are String, tables are Map, and other values are
   * UnexpectedValue.
   */
  Map<?, ?> run() {
    return run;
  }

  /** Returns the table {@code serve}, with values like those of {@code run}. */
  Map<?, ?> serve() {
    return serve;
  }

  Path path() {
    return path;
  }

  /**
   * Returns the file and the line of a key for messages.
   *
   * @param keys the names of the tables, from the outermost, and the key
   */
  String place(List<String> keys) {
    return place(path.toString(), keys);
  }

  private String place(String file, List<String> keys) {
    int line = SettingLines.lineOf(text, keys);
    return line == 0 ? file : file + ": line " + line;
  }

  /** Returns the text of a key as it is written, or null if the file does not have it. */
  @Nullable String written(SettingName name) {
    return values.get(name);
  }

  /**
   * Returns the text of a key, or null if the file does not have it. Directories are relative to
   * the file's directory.
   */
  @Nullable String value(SettingName name) {
    String value = values.get(name);
    if (value == null || !name.isDirectory()) {
      return value;
    }
    return path.resolveSibling(value).toString();
  }
}
