package org.kblake.cli.frame;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
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
    try {
      JsonNode root = new TomlMapper().readTree(Files.readAllBytes(path));
      return new SettingsFile(path, values(where, root));
    } catch (JsonProcessingException e) {
      throw new UsageException(
          where
              + ": line "
              + e.getLocation().getLineNr()
              + ", column "
              + e.getLocation().getColumnNr()
              + ": not TOML: "
              + e.getOriginalMessage(),
          e);
    } catch (IOException e) {
      throw new UsageException("settings cannot be read: " + ErrorLine.of(e), e);
    }
  }

  private static Map<SettingName, String> values(String where, JsonNode root) {
    Map<SettingName, String> values = new EnumMap<>(SettingName.class);
    root.properties()
        .forEach(
            entry -> {
              SettingName name = name(where, entry.getKey());
              if (!entry.getValue().isTextual()) {
                throw new UsageException(
                    where
                        + ": "
                        + name.key()
                        + " must be a text in quotes, found "
                        + entry.getValue());
              }
              values.put(name, entry.getValue().textValue());
            });
    return values;
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
