package org.kblake.cli.command.analysis;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jline.utils.WCWidth;
import org.jspecify.annotations.Nullable;
import org.kblake.format.text.SpreadsheetFormula;

/** Rows with named columns, as a table for people, as CSV, or as JSON: an array of objects. */
final class RowTable {

  /** A table for people fits so many columns of a terminal, if its other texts are not too long. */
  private static final int WIDTH = 80;

  /** Values are cut in a table for people, but not behind fewer characters. */
  private static final int MIN_SHOWN = 8;

  private static final List<String> CUT = List.of("before", "after");
  private static final Pattern LONG_NUMBER =
      Pattern.compile("-?\\d{1,400}\\.\\d{1,400}(E-?\\d{1,4})?");

  /** Values of several kinds are texts here. */
  private static final Pattern NUMBER =
      Pattern.compile("-?(Infinity|\\d{1,400}(\\.\\d{1,400})?(E-?\\d{1,4})?)");

  private static final MathContext DIGITS = new MathContext(6);

  private final List<String> names;
  private final List<String> onlyForPrograms = new ArrayList<>();
  private boolean safe;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();

  RowTable(String... names) {
    this.names = List.of(names);
  }

  /** Leaves columns out of the table for people. */
  RowTable onlyForPrograms(String... columns) {
    onlyForPrograms.addAll(List.of(columns));
    return this;
  }

  /** Determines whether no text in CSV is a formula of a spreadsheet. */
  RowTable safe(boolean wanted) {
    safe = wanted;
    return this;
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
    int[] shown =
        IntStream.range(0, names.size())
            .filter(i -> !onlyForPrograms.contains(names.get(i)))
            .toArray();
    int[] widths = widths(shown);
    List<String> header = names.stream().map(name -> name.toUpperCase(Locale.ROOT)).toList();
    out.append(line(header, shown, widths)).append('\n');
    for (List<@Nullable Object> row : rows) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        String cell = shown(row.get(i));
        boolean number = row.get(i) instanceof Number;
        cells.add(number ? " ".repeat(Math.max(0, widths[i] - cell.length())) + cell : cell);
      }
      out.append(line(cells, shown, widths)).append('\n');
    }
  }

  /** Returns the widths of columns. Those that are cut share what the others leave. */
  private int[] widths(int[] shown) {
    int[] widths = new int[names.size()];
    int cut = 0;
    int others = 2 * (shown.length - 1);
    for (int i : shown) {
      widths[i] = names.get(i).length();
      for (List<@Nullable Object> row : rows) {
        widths[i] = Math.max(widths[i], width(shown(row.get(i))));
      }
      cut += CUT.contains(names.get(i)) ? 1 : 0;
      others += CUT.contains(names.get(i)) ? 0 : widths[i];
    }
    int left = WIDTH - others;
    for (int i : shown) {
      if (CUT.contains(names.get(i))) {
        int rest = cut == 1 ? 0 : Math.min(left / 2, widths[names.indexOf("after")]);
        widths[i] = Math.min(widths[i], Math.max(MIN_SHOWN, left - rest));
        left -= widths[i];
        cut--;
      }
    }
    return widths;
  }

  private static String line(List<String> cells, int[] shown, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i : shown) {
      String cell = cut(cells.get(i), widths[i]);
      line.append(i == shown[0] ? "" : "  ").append(cell);
      line.append(" ".repeat(Math.max(0, widths[i] - width(cell))));
    }
    return line.toString().stripTrailing();
  }

  private static int width(String text) {
    return text.codePoints().map(RowTable::width).sum();
  }

  private static int width(int character) {
    return Math.max(0, WCWidth.wcwidth(character));
  }

  private static String cut(String text, int width) {
    int columns = 0;
    int fitting = 0;
    for (int i = 0; i < text.length(); ) {
      int character = text.codePointAt(i);
      columns += width(character);
      i += Character.charCount(character);
      if (columns > width) {
        return text.substring(0, fitting) + "...";
      }
      fitting = columns <= width - 3 ? i : fitting;
    }
    return text;
  }

  private static String shown(@Nullable Object cell) {
    if (cell == null) {
      return "-";
    }
    if (cell instanceof Double number) {
      return String.format(Locale.ROOT, Math.abs(number) < 1e6 ? "%.3f" : "%.3g", number);
    }
    String text = cell.toString().replaceAll("\\p{Cntrl}+", " ");
    return LONG_NUMBER.matcher(text).matches()
        ? new BigDecimal(text).round(DIGITS).toString()
        : text;
  }

  private void writeCsv(Writer out) throws IOException {
    out.append(String.join(",", names)).append('\n');
    for (List<@Nullable Object> row : rows) {
      StringJoiner line = new StringJoiner(",");
      row.forEach(cell -> line.add(cell == null ? "" : quoted(cell)));
      out.append(line.toString()).append('\n');
    }
  }

  /** Returns a cell of RFC 4180. An empty text is quoted, as in the other answers. */
  private String quoted(Object cell) {
    String text = cell.toString();
    String marked =
        safe && !NUMBER.matcher(text).matches() ? SpreadsheetFormula.marked(text) : text;
    boolean plain =
        marked.equals(text)
            && !text.isEmpty()
            && text.chars().noneMatch(each -> "\",\n\r".indexOf(each) >= 0);
    return plain ? text : '"' + marked.replace("\"", "\"\"") + '"';
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
