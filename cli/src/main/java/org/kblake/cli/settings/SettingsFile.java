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
 * values, and the table {@code run}, which is not validated here. Only the first existing file is
 * read: {@code --config}, {@code KBLAKE_CONFIG}, the file in the working directory, the file in
 * {@code /etc/kblake}.
 */
final class SettingsFile {

  static final String VARIABLE = "KBLAKE_CONFIG";

  private static final String NAME = "kblake.toml";
  private static final String RUN = "run";
  private static final Path SYSTEM_FILE = Path.of("/etc/kblake", NAME);

  private final Path path;
  private final Map<SettingName, String> values = new EnumMap<>(SettingName.class);
  private Map<?, ?> run = Map.of();

  private SettingsFile(Path path) {
    this.path = path;
  }

  /**
   * Finds and reads the settings file.
   *
   * @param option the value of {@code --config}, or null
   * @param problems gets a line on each wrong key, which is then ignored
   * @return null if there is no file
   * @throws UsageException if a named file does not exist or is not TOML
   */
  static @Nullable SettingsFile find(
      @Nullable Path option, ProcessEnvironment environment, Consumer<String> problems) {
    if (option != null) {
      return read(environment.workingDirectory().resolve(option), "--config", problems);
    }
    String variable = environment.variables().get(VARIABLE);
    if (variable != null && !variable.isEmpty()) {
      return read(environment.workingDirectory().resolve(variable), VARIABLE, problems);
    }
    for (Path usual : List.of(environment.workingDirectory().resolve(NAME), SYSTEM_FILE)) {
      if (Files.exists(usual)) {
        return read(usual, null, problems);
      }
    }
    return null;
  }

  private static SettingsFile read(Path path, @Nullable String namedBy, Consumer<String> problems) {
    String where = namedBy == null ? path.toString() : path + " (" + namedBy + ")";
    SettingsFile file = new SettingsFile(path);
    TomlTable.read(path, where).forEach((key, value) -> file.put(where, key, value, problems));
    return file;
  }

  private void put(String where, String key, Object value, Consumer<String> problems) {
    if (key.equals(RUN)) {
      if (value instanceof Map<?, ?> table) {
        run = table;
      } else {
        problems.accept(where + ": " + RUN + " must be a table, [" + RUN + "], found " + value);
      }
      return;
    }
    SettingName name = SettingName.ofKey(key);
    if (name == null) {
      problems.accept(where + ": " + unknownKey(key, SettingName.keys()));
    } else if (value instanceof String text) {
      values.put(name, text);
    } else {
      problems.accept(where + ": " + key + " must be a text in quotes, found " + value);
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

  Path path() {
    return path;
  }

  /**
   * Returns the text of a key, or null if the file does not have it. Directories are relative to
   * the file's directory.
   */
  @Nullable String value(SettingName name) {
    String value = values.get(name);
    if (value == null || (name != SettingName.ARCHIVE && name != SettingName.STORE)) {
      return value;
    }
    return path.resolveSibling(value).toString();
  }
}
