package org.kblake.cli.frame;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.query.NearestNames;

/**
 * {@code kblake.toml}: a flat table of the keys of {@link SettingName}, values are strings. The
 * first that exists counts, files are not merged: {@code --config}, {@code KBLAKE_CONFIG}, the
 * working directory's, {@code /etc/kblake}'s.
 */
final class SettingsFile {

  static final String VARIABLE = "KBLAKE_CONFIG";

  private static final String NAME = "kblake.toml";
  private static final Path OF_THE_MACHINE = Path.of("/etc/kblake", NAME);

  private final Path path;
  private final Map<SettingName, String> values;

  private SettingsFile(Path path, Map<SettingName, String> values) {
    this.path = path;
    this.values = values;
  }

  /**
   * Finds and reads the file that counts.
   *
   * @param option what --config says
   * @return null if there is none
   * @throws UsageException if a file that was named is not there, or the file is not as it should
   *     be
   */
  static @Nullable SettingsFile find(@Nullable Path option, Surroundings surroundings) {
    if (option != null) {
      return read(surroundings.workingDirectory().resolve(option), "--config");
    }
    String variable = surroundings.variables().get(VARIABLE);
    if (variable != null && !variable.isEmpty()) {
      return read(surroundings.workingDirectory().resolve(variable), VARIABLE);
    }
    for (Path usual : List.of(surroundings.workingDirectory().resolve(NAME), OF_THE_MACHINE)) {
      if (Files.exists(usual)) {
        return read(usual, null);
      }
    }
    return null;
  }

  private static SettingsFile read(Path path, @Nullable String namedBy) {
    String where = namedBy == null ? path.toString() : path + " (" + namedBy + ")";
    Map<SettingName, String> values = new EnumMap<>(SettingName.class);
    TomlTable.read(path, where).forEach((key, value) -> values.put(name(where, key), value));
    return new SettingsFile(path, values);
  }

  private static SettingName name(String where, String key) {
    for (SettingName name : SettingName.values()) {
      if (name.key().equals(key)) {
        return name;
      }
    }
    throw new UsageException(
        where
            + ": unknown key '"
            + key
            + "'"
            + NearestNames.hint(key, SettingName.keys())
            + " (keys: "
            + String.join(", ", SettingName.keys())
            + ")");
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
