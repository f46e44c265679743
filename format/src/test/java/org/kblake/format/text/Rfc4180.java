package org.kblake.format.text;

import java.util.ArrayList;
import java.util.List;

/** A strict parser of RFC 4180. It also accepts LF as a line break. */
public final class Rfc4180 {

  private final String text;
  private int at;

  private Rfc4180(String text) {
    this.text = text;
  }

  /** Returns the records of a text. Each is a list of fields. */
  public static List<List<String>> parse(String text) {
    Rfc4180 parser = new Rfc4180(text);
    List<List<String>> records = new ArrayList<>();
    while (parser.at < text.length()) {
      records.add(parser.record());
    }
    return records;
  }

  private List<String> record() {
    List<String> fields = new ArrayList<>();
    fields.add(field());
    while (text.charAt(at) == ',') {
      at++;
      fields.add(field());
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    if (text.charAt(at - 1) != '\n') {
      throw new AssertionError("no line break: offset=" + at);
    }
    return fields;
  }

  private String field() {
    return text.charAt(at) == '"' ? quoted() : bare();
  }

  private String quoted() {
    StringBuilder field = new StringBuilder();
    at++;
    while (true) {
      char c = text.charAt(at++);
      if (c != '"') {
        field.append(c);
      } else if (text.charAt(at) == '"') {
        field.append(c);
        at++;
      } else {
        return field.toString();
      }
    }
  }

  private String bare() {
    int start = at;
    while (",\r\n".indexOf(text.charAt(at)) < 0) {
      if (text.charAt(at) == '"') {
        throw new AssertionError("a quote inside a bare field: offset=" + at);
      }
      at++;
    }
    return text.substring(start, at);
  }
}
