package org.kblake.format.text;

import java.io.IOException;

/** Writes UTF-8 text as a cell of a line, or as a JSON string. */
enum TextEscape {
  /**
   * RFC 4180: a text with a quote, a comma or a line break is quoted, and its quotes are doubled.
   */
  CSV {
    @Override
    void write(byte[] text, int from, int to, TextBuffer target) throws IOException {
      // An empty text is quoted to distinguish it from a missing value
      boolean quoted = from == to;
      for (int i = from; i < to && !quoted; i++) {
        byte b = text[i];
        quoted = b == '"' || b == ',' || b == '\n' || b == '\r';
      }
      if (quoted) {
        quote(text, from, to, false, target);
      } else {
        target.put(text, from, to);
      }
    }
  },

  /** As {@link #CSV}, and a text that is a formula in a spreadsheet has an apostrophe before it. */
  SAFE_CSV {
    @Override
    void write(byte[] text, int from, int to, TextBuffer target) throws IOException {
      if (from < to && SpreadsheetFormula.isBegin(text[from])) {
        quote(text, from, to, true, target);
      } else {
        CSV.write(text, from, to, target);
      }
    }
  },

  /** Backslash, tab, newline and carriage return as {@code \\ \t \n \r}. */
  TSV {
    @Override
    void write(byte[] text, int from, int to, TextBuffer target) throws IOException {
      target.ensure(2 * (to - from));
      byte[] bytes = target.bytes;
      int at = target.position;
      for (int i = from; i < to; i++) {
        byte b = text[i];
        byte letter = tsvLetter(b);
        if (letter != 0) {
          bytes[at++] = '\\';
          bytes[at++] = letter;
        } else {
          bytes[at++] = b;
        }
      }
      target.position = at;
    }
  },

  /** As {@link #TSV}, with the apostrophe of {@link #SAFE_CSV}. */
  SAFE_TSV {
    @Override
    void write(byte[] text, int from, int to, TextBuffer target) throws IOException {
      if (from < to && SpreadsheetFormula.isBegin(text[from])) {
        target.put(SpreadsheetFormula.MARK);
      }
      TSV.write(text, from, to, target);
    }
  },

  /** RFC 8259: texts are always quoted; quotes, backslashes and control characters are escaped. */
  JSON {
    @Override
    void write(byte[] text, int from, int to, TextBuffer target) throws IOException {
      target.ensure(6 * (to - from) + 2);
      byte[] bytes = target.bytes;
      int at = target.position;
      bytes[at++] = '"';
      for (int i = from; i < to; i++) {
        byte b = text[i];
        if (b == '"') {
          bytes[at++] = '\\';
          bytes[at++] = b;
          continue;
        }
        byte letter = tsvLetter(b);
        if (letter != 0) {
          bytes[at++] = '\\';
          bytes[at++] = letter;
        } else if (b >= 0 && b < ' ') {
          bytes[at++] = '\\';
          bytes[at++] = 'u';
          bytes[at++] = '0';
          bytes[at++] = '0';
          bytes[at++] = (byte) ('0' + (b >> 4));
          bytes[at++] = HEX[b & 0xf];
        } else {
          bytes[at++] = b;
        }
      }
      bytes[at++] = '"';
      target.position = at;
    }
  };

  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  /** Appends the bytes [from, to) of well-formed UTF-8. */
  abstract void write(byte[] text, int from, int to, TextBuffer target) throws IOException;

  private static void quote(byte[] text, int from, int to, boolean marked, TextBuffer target)
      throws IOException {
    target.ensure(2 * (to - from) + 3);
    byte[] bytes = target.bytes;
    int at = target.position;
    bytes[at++] = '"';
    if (marked) {
      bytes[at++] = SpreadsheetFormula.MARK;
    }
    for (int i = from; i < to; i++) {
      byte b = text[i];
      if (b == '"') {
        bytes[at++] = '"';
      }
      bytes[at++] = b;
    }
    bytes[at++] = '"';
    target.position = at;
  }

  private static byte tsvLetter(byte b) {
    return switch (b) {
      case '\\' -> '\\';
      case '\t' -> 't';
      case '\n' -> 'n';
      case '\r' -> 'r';
      default -> 0;
    };
  }
}
