package org.kblake.cli.settings;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.core.model.NearestNames;

/**
 * The settings file {@code kblake.toml}. It has the keys of {@link CommonSetting} with texts as
 * values, and the tables of commands, which are not validated here. Only the first existing file is
 * read: {@code --config}, {@code KBLAKE_CONFIG}, the file in the working directory, the file in
 * {@code /etc/kblake}.
 */
final class SettingsFile {

  static final String VARIABLE = "KBLAKE_CONFIG";

  private static final String NAME = "kblake.toml";

  /** The tables of commands, which have their keys in a {@link SettingsTable}. */
  static final List<String> TABLES = List.of("run", "serve", "gather", "record");

  private static final Path SYSTEM_FILE = Path.of("/etc/kblake", NAME);

  private final Path path;
  private final String where;
  private final String text;
  private final Map<String, String> values = new HashMap<>();
  private final Map<String, Map<?, ?>> tables = new HashMap<>();

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
    if (TABLES.contains(key) && value instanceof Map<?, ?> table) {
      tables.put(key, table);
    } else if (CommonSetting.TABLE.ofName(key) != null && value instanceof String text) {
      values.put(key, text);
    } else {
      problems.accept(place(where, List.of(key)) + ": " + problem(key, value));
    }
  }

  private static String problem(String key, Object value) {
    if (TABLES.contains(key)) {
      return key + " must be a table, [" + key + "], found " + value;
    }
    return CommonSetting.TABLE.ofName(key) == null
        ? unknownKey(key, key, CommonSetting.TABLE.names())
        : key + " must be a text in quotes, found " + value;
  }

  /**
   * Describes an unknown key.
   *
   * @param shown the key with the names of its tables
   */
  static String unknownKey(String shown, String key, List<String> keys) {
    return "unknown key '%s'%s (keys: %s)"
        .formatted(shown, NearestNames.hint(key, keys), String.join(", ", keys));
  }

  /**
   * Returns the table of a command, which is not validated; empty if there is none. Texts are
   * String, tables are Map, and other values are UnexpectedValue.
   */
  Map<?, ?> table(String name) {
    return tables.getOrDefault(name, Map.of());
  }

  boolean hasTable(String name) {
    return tables.containsKey(name);
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

  /** Returns the text of a key that is in no table; null if the file does not have it. */
  @Nullable String value(String key) {
    return values.get(key);
  }
}
