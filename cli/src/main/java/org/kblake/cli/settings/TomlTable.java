package org.kblake.cli.settings;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.toml.TomlFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kblake.cli.error.UsageException;

/**
 * A tree of tables in TOML. It is a class of its own, so that a start without a settings file does
 * not load the parser. It uses no object mapper of Jackson, whose set-up takes longer than reading
 * an hour of a channel.
 */
final class TomlTable {

  private TomlTable() {}

  /**
   * Parses the text of a file.
   *
   * @param where the name of the file for messages
   * @return the table; texts are String, tables are Map, lists of texts are {@link TextList}, and
   *     other values are {@link UnexpectedValue}
   * @throws UsageException if it is not TOML
   */
  static Map<String, Object> parse(String text, String where) {
    try (JsonParser parser = new TomlFactory().createParser(text)) {
      parser.nextToken();
      return table(parser);
    } catch (JsonProcessingException e) {
      throw new UsageException(where + reason(text, e), e);
    } catch (IOException e) {
      throw new UsageException(where + ": not TOML: " + e.getMessage(), e);
    }
  }

  private static String reason(String text, JsonProcessingException e) {
    if (e instanceof StreamConstraintsException) {
      return ": a list or a name has too many levels, or a number has too many digits";
    }
    JsonLocation location = e.getLocation();
    if (location == null) {
      return ": not TOML: " + e.getOriginalMessage();
    }
    String line = ": line " + location.getLineNr();
    String unquoted = SettingLines.unquoted(text, location.getLineNr());
    return unquoted == null
        ? line + ", column " + location.getColumnNr() + ": not TOML: " + e.getOriginalMessage()
        : line + ": " + unquoted;
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
      case START_ARRAY -> listed(list(parser));
      case VALUE_STRING -> parser.getText();
      default -> new UnexpectedValue(parser.getText());
    };
  }

  private static Object listed(List<Object> list) {
    List<String> texts = new ArrayList<>();
    for (Object each : list) {
      if (each instanceof String text) {
        texts.add(text.substring(1, text.length() - 1));
      }
    }
    return texts.size() == list.size()
        ? new TextList(List.copyOf(texts))
        : new UnexpectedValue(list.toString());
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
