package org.kblake.cli.frame;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A flat table of texts in TOML. Apart, so that a start without a settings file needs no parser.
 */
final class TomlTable {

  private TomlTable() {}

  /**
   * Reads a file.
   *
   * @param where the file as messages name it
   * @throws UsageException if it cannot be read or says something else
   */
  static Map<String, String> read(Path path, String where) {
    try {
      JsonNode root = new TomlMapper().readTree(Files.readAllBytes(path));
      Map<String, String> table = new LinkedHashMap<>();
      root.properties()
          .forEach(entry -> table.put(entry.getKey(), text(where, entry.getKey(), entry)));
      return table;
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

  private static String text(String where, String key, Map.Entry<String, JsonNode> entry) {
    if (!entry.getValue().isTextual()) {
      throw new UsageException(
          where + ": " + key + " must be a text in quotes, found " + entry.getValue());
    }
    return entry.getValue().textValue();
  }
}
