package org.kblake.cli.settings;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.toml.TomlFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.UsageException;

/**
 * A tree of tables in TOML. It is a class of its own, so that a start without a settings file does
 * not load the parser. It uses no object mapper of Jackson, whose set-up takes longer than reading
 * an hour of a channel.
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
    try (JsonParser parser = new TomlFactory().createParser(Files.readAllBytes(path))) {
      parser.nextToken();
      return table(parser);
    } catch (JsonProcessingException e) {
      throw new UsageException(
          where + place(e.getLocation()) + ": not TOML: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UsageException("settings cannot be read: " + ErrorLine.of(e), e);
    }
  }

  private static String place(@Nullable JsonLocation location) {
    return location == null
        ? ""
        : ": line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  /** Reads the rest of a table, after its first token. */
  private static Map<String, Object> table(JsonParser parser) throws IOException {
    Map<String, Object> table = new LinkedHashMap<>();
    for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
      table.put(key, value(parser, parser.nextToken()));
    }
    return table;
  }

  private static Object value(JsonParser parser, JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> table(parser);
      case START_ARRAY -> new UnexpectedValue(list(parser).toString());
      case VALUE_STRING -> parser.getText();
      default -> new UnexpectedValue(parser.getText());
    };
  }

  private static List<Object> list(JsonParser parser) throws IOException {
    List<Object> list = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      Object value = value(parser, token);
      list.add(value instanceof String text ? '"' + text + '"' : value);
    }
    return list;
  }
}
