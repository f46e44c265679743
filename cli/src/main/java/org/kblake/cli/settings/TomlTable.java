package org.kblake.cli.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.UsageException;

/**
 * A tree of tables in TOML. It is a class of its own, so that a start without a settings file does
 * not load the parser.
 */
final class TomlTable {

  private TomlTable() {}

  /**
   * Reads a file.
   *
   * @param where the name of the file for messages
   * @return the table; texts are String, tables are Map, and other values are {@link
   *     UnexpectedValue}
   * @throws UsageException if it cannot be read or is not TOML
   */
  static Map<String, Object> read(Path path, String where) {
    try {
      return table(new TomlMapper().readTree(Files.readAllBytes(path)));
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

  private static Map<String, Object> table(JsonNode node) {
    Map<String, Object> table = new LinkedHashMap<>();
    node.properties().forEach(entry -> table.put(entry.getKey(), value(entry.getValue())));
    return table;
  }

  private static Object value(JsonNode node) {
    if (node.isTextual()) {
      return node.textValue();
    }
    return node.isObject() ? table(node) : new UnexpectedValue(node.toString());
  }
}
