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

/** A tree of tables in TOML. Apart, so that a start without a settings file needs no parser. */
final class TomlTable {

  private TomlTable() {}

  /**
   * Reads a file.
   *
   * @param where the file as messages name it
   * @return texts as String, tables as Map, anything else as {@link UnexpectedValue}
   * @throws UsageException if it cannot be read or is no TOML
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
