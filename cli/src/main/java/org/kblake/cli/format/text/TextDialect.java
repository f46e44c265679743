package org.kblake.cli.format.text;

import java.io.IOException;
import java.util.List;
import org.kblake.cli.format.OutputFormat;

/** What stands around and between the cells of a row. */
public enum TextDialect {
  /** Header line, commas, RFC 4180 quoting; lines end in LF. */
  CSV(TextEscape.CSV),
  /** Header line, tabs, backslash escapes; lines end in LF. */
  TSV(TextEscape.TSV),
  /** One array; an object a line. */
  JSON(TextEscape.JSON),
  /** An object a line. */
  NDJSON(TextEscape.JSON);

  private final TextEscape escape;

  TextDialect(TextEscape escape) {
    this.escape = escape;
  }

  /** The dialect of a text format. */
  public static TextDialect of(OutputFormat format) {
    return switch (format) {
      case CSV -> CSV;
      case TSV -> TSV;
      case JSON -> JSON;
      case NDJSON -> NDJSON;
      case ARROW, PARQUET -> throw new IllegalArgumentException("not a text format: " + format);
    };
  }

  /** How texts become cells. */
  TextEscape escape() {
    return escape;
  }

  /** Whether rows are objects of JSON. */
  boolean objects() {
    return escape == TextEscape.JSON;
  }

  /** What stands before the first row. */
  String opening(List<String> columns) {
    return switch (this) {
      case CSV -> String.join(",", columns) + "\n";
      case TSV -> String.join("\t", columns) + "\n";
      case JSON -> "[";
      case NDJSON -> "";
    };
  }

  /** What stands before a row. */
  String rowOpening(boolean first) {
    return switch (this) {
      case CSV, TSV -> "";
      case JSON -> first ? "\n{" : ",\n{";
      case NDJSON -> "{";
    };
  }

  /** What stands before a cell. */
  String cellOpening(String column, boolean first) {
    return switch (this) {
      case CSV -> first ? "" : ",";
      case TSV -> first ? "" : "\t";
      case JSON, NDJSON -> (first ? "\"" : ",\"") + column + "\":";
    };
  }

  /** The cell of a row that has no value. */
  String noValue() {
    return switch (this) {
      case CSV, TSV -> "";
      case JSON, NDJSON -> "null";
    };
  }

  /** What stands behind a row. */
  String rowClosing() {
    return switch (this) {
      case CSV, TSV -> "\n";
      case JSON -> "}";
      case NDJSON -> "}\n";
    };
  }

  /** What stands behind the last row. */
  String closing() {
    return switch (this) {
      case CSV, TSV, NDJSON -> "";
      case JSON -> "\n]\n";
    };
  }

  /** Appends a piece of JSON, such as an array, as a cell. */
  void writeJson(byte[] json, int from, int to, TextBuffer target) throws IOException {
    switch (this) {
      case CSV, TSV -> escape.write(json, from, to, target);
      case JSON, NDJSON -> target.put(json, from, to);
    }
  }
}
