package org.kblake.format.text;

/** Texts that a spreadsheet runs as formulas when it opens a file. */
public final class SpreadsheetFormula {

  /** Makes a cell a text in spreadsheets. */
  static final byte MARK = '\'';

  private SpreadsheetFormula() {}

  static boolean isBegin(byte first) {
    return switch (first) {
      case '=', '+', '-', '@', '\t', '\r', '\n' -> true;
      default -> false;
    };
  }

  /** Returns a text that is no formula: with an apostrophe before it if it was one. */
  public static String marked(String text) {
    boolean formula = !text.isEmpty() && text.charAt(0) < 0x80 && isBegin((byte) text.charAt(0));
    return formula ? (char) MARK + text : text;
  }
}
