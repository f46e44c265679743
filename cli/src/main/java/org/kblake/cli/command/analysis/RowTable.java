package org.kblake.cli.command.analysis;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Rows with named columns, as a table for people, as CSV, or as JSON: an array of objects. */
final class RowTable {

  /** A text in a table is cut behind so many characters. */
  private static final int MOST_SHOWN = 40;

  private final List<String> names;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();

  RowTable(String... names) {
    this.names = List.of(names);
  }

  /**
   * Adds a row.
   *
   * @param cells a text, a {@link Long}, a finite {@link Double}, or null for each column
   */
  void add(List<@Nullable Object> cells) {
    rows.add(cells);
  }

  /** Writes the rows. The writer is flushed, and not closed. */
  void write(RowForm form, Writer out) throws IOException {
    switch (form) {
      case text -> writeText(out);
      case csv -> writeCsv(out);
      case json -> writeJson(out);
    }
    out.flush();
  }

  private void writeText(Writer out) throws IOException {
    int[] widths = new int[names.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = names.get(i).length();
      for (List<@Nullable Object> row : rows) {
        widths[i] = Math.max(widths[i], shown(row.get(i)).length());
      }
    }
    List<String> header = names.stream().map(name -> name.toUpperCase(Locale.ROOT)).toList();
    out.append(line(header, widths)).append('\n');
    for (List<@Nullable Object> row : rows) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < widths.length; i++) {
        String cell = shown(row.get(i));
        cells.add(
            row.get(i) instanceof Number ? " ".repeat(widths[i] - cell.length()) + cell : cell);
      }
      out.append(line(cells, widths)).append('\n');
    }
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i);
      line.append(i == 0 ? "" : "  ").append(cell).append(" ".repeat(widths[i] - cell.length()));
    }
    return line.toString().stripTrailing();
  }

  private static String shown(@Nullable Object cell) {
    if (cell == null) {
      return "-";
    }
    if (cell instanceof Double number) {
      return String.format(Locale.ROOT, Math.abs(number) < 1e6 ? "%.3f" : "%.3g", number);
    }
    String text = cell.toString().replaceAll("\\p{Cntrl}+", " ");
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN - 3) + "...";
  }

  private void writeCsv(Writer out) throws IOException {
    out.append(String.join(",", names)).append('\n');
    for (List<@Nullable Object> row : rows) {
      StringJoiner line = new StringJoiner(",");
      row.forEach(cell -> line.add(cell == null ? "" : quoted(cell.toString())));
      out.append(line.toString()).append('\n');
    }
  }

  /** Returns a cell of RFC 4180. An empty text is quoted, as in the other answers. */
  private static String quoted(String text) {
    boolean plain = !text.isEmpty() && text.chars().noneMatch(each -> "\",\n\r".indexOf(each) >= 0);
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  private void writeJson(Writer out) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.useDefaultPrettyPrinter();
    json.writeStartArray();
    for (List<@Nullable Object> row : rows) {
      json.writeStartObject();
      for (int i = 0; i < names.size(); i++) {
        json.writeFieldName(names.get(i));
        write(json, row.get(i));
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.flush();
    out.append('\n');
  }

  private static void write(JsonGenerator json, @Nullable Object cell) throws IOException {
    if (cell == null) {
      json.writeNull();
    } else if (cell instanceof Long number) {
      json.writeNumber(number);
    } else if (cell instanceof Double number) {
      json.writeNumber(number);
    } else {
      json.writeString(cell.toString());
    }
  }
}
