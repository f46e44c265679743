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
 * {@code kblake.toml}: the keys of {@link SettingName}, values are strings, and the table {@code
 * run}, which is for others to understand. The first file that exists counts, files are not merged:
 * {@code --config}, {@code KBLAKE_CONFIG}, the working directory's, {@code /etc/kblake}'s.
 */
final class SettingsFile {

  static final String VARIABLE = "KBLAKE_CONFIG";

  private static final String NAME = "kblake.toml";
  private static final String RUN = "run";
  private static final Path OF_THE_MACHINE = Path.of("/etc/kblake", NAME);

  private final Path path;
  private final Map<SettingName, String> values = new EnumMap<>(SettingName.class);
  private Map<?, ?> run = Map.of();

  private SettingsFile(Path path) {
    this.path = path;
  }

  /**
   * Finds and reads the file that counts.
   *
   * @param option what --config says
   * @param problems gets a line on each key that is not as it should be; it counts as not there
   * @return null if there is none
   * @throws UsageException if a file that was named is not there, or is no TOML
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
    for (Path usual : List.of(environment.workingDirectory().resolve(NAME), OF_THE_MACHINE)) {
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
   * What the table {@code run} holds; texts as String, tables as Map, others as UnexpectedValue.
   */
  Map<?, ?> run() {
    return run;
  }

  Path path() {
    return path;
  }

  /** The text of a key, or null if the file does not have it; directories begin at the file's. */
  @Nullable String value(SettingName name) {
    String value = values.get(name);
    if (value == null || (name != SettingName.ARCHIVE && name != SettingName.STORE)) {
      return value;
    }
    return path.resolveSibling(value).toString();
  }
}
