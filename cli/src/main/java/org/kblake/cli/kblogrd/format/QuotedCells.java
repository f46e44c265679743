package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import org.kblake.format.text.TextBuffer;

/**
 * Cells whose strings are quoted for SADScript. Quotes, backslashes and line breaks are escaped by
 * a backslash.
 */
final class QuotedCells extends Cells {

  @Override
  void writeText(byte[] text, int from, int to, TextBuffer target) throws IOException {
    target.ensure(2 * (to - from) + 2);
    byte[] bytes = target.bytes;
    int at = target.position;
    bytes[at++] = '"';
    for (int i = from; i < to; i++) {
      byte b = text[i];
      byte letter = letter(b);
      if (letter != 0) {
        bytes[at++] = '\\';
        b = letter;
      }
      bytes[at++] = b;
    }
    bytes[at++] = '"';
    target.position = at;
  }

  private static byte letter(byte b) {
    return switch (b) {
      case '"' -> '"';
      case '\\' -> '\\';
      case '\n' -> 'n';
      case '\t' -> 't';
      case '\r' -> 'r';
      default -> 0;
    };
  }
}
