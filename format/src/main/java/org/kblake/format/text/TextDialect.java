package org.kblake.format.text;

import java.io.IOException;
import java.util.List;
import org.kblake.format.OutputFormat;

/** The text around and between the cells of a row. */
public enum TextDialect {
  /** A header line, commas, quotes of RFC 4180; lines end in LF. */
  CSV(TextEscape.CSV),
  /** A header line, tabs, backslash escapes; lines end in LF. */
  TSV(TextEscape.TSV),
  /** {@link #CSV} in which no text is a formula of a spreadsheet. */
  SAFE_CSV(TextEscape.SAFE_CSV),
  /** {@link #TSV} in which no text is a formula of a spreadsheet. */
  SAFE_TSV(TextEscape.SAFE_TSV),
  /** One array with an object per line. */
  JSON(TextEscape.JSON),
  /** An object per line. */
  NDJSON(TextEscape.JSON);

  private final TextEscape escape;

  TextDialect(TextEscape escape) {
    this.escape = escape;
  }

  /** Returns the dialect of a text format. */
  public static TextDialect of(OutputFormat format) {
    return switch (format) {
      case CSV -> CSV;
      case TSV -> TSV;
      case JSON -> JSON;
      case NDJSON -> NDJSON;
      case ARROW, PARQUET -> throw new IllegalArgumentException("not a text format: " + format);
    };
  }

  /**
   * Returns the dialect of a text format.
   *
   * @param safe whether no text is a formula of a spreadsheet
   */
  public static TextDialect of(OutputFormat format, boolean safe) {
    TextDialect dialect = of(format);
    return !safe ? dialect : dialect == CSV ? SAFE_CSV : dialect == TSV ? SAFE_TSV : dialect;
  }

  /** Returns the escapes of texts in cells. */
  TextEscape escape() {
    return escape;
  }

  /** Returns whether rows are JSON objects. */
  boolean objects() {
    return escape == TextEscape.JSON;
  }

  /** Returns the text before the first row. */
  String opening(List<String> columns) {
    return switch (this) {
      case CSV, SAFE_CSV -> String.join(",", columns) + "\n";
      case TSV, SAFE_TSV -> String.join("\t", columns) + "\n";
      case JSON -> "[";
      case NDJSON -> "";
    };
  }

  /** Returns the text before a row. */
  String rowOpening(boolean first) {
    return switch (this) {
      case CSV, TSV, SAFE_CSV, SAFE_TSV -> "";
      case JSON -> first ? "\n{" : ",\n{";
      case NDJSON -> "{";
    };
  }

  /** Returns the text before a cell. */
  String cellOpening(String column, boolean first) {
    return switch (this) {
      case CSV, SAFE_CSV -> first ? "" : ",";
      case TSV, SAFE_TSV -> first ? "" : "\t";
      case JSON, NDJSON -> (first ? "\"" : ",\"") + column + "\":";
    };
  }

  /** Returns the cell of a row without a value. */
  String noValue() {
    return switch (this) {
      case CSV, TSV, SAFE_CSV, SAFE_TSV -> "";
      case JSON, NDJSON -> "null";
    };
  }

  /** Returns the text after a row. */
  String rowClosing() {
    return switch (this) {
      case CSV, TSV, SAFE_CSV, SAFE_TSV -> "\n";
      case JSON -> "}";
      case NDJSON -> "}\n";
    };
  }

  /** Returns the text after the last row. */
  String closing() {
    return switch (this) {
      case CSV, TSV, SAFE_CSV, SAFE_TSV, NDJSON -> "";
      case JSON -> "\n]\n";
    };
  }

  /** Appends a fragment of JSON, such as an array, as a cell. */
  void writeJson(TextBuffer json, TextBuffer target) throws IOException {
    switch (this) {
      case CSV, TSV, SAFE_CSV, SAFE_TSV -> escape.write(json.bytes, 0, json.position, target);
      case JSON, NDJSON -> target.put(json.bytes, 0, json.position);
    }
  }
}
