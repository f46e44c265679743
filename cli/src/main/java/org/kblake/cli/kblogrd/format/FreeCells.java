package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import org.kblake.format.text.TextBuffer;

/**
 * Cells whose strings are unchanged, except for characters that would break the line: {@code \t},
 * {@code \n}, {@code \\}.
 */
final class FreeCells extends Cells {

  @Override
  void writeText(byte[] text, int from, int to, TextBuffer target) throws IOException {
    target.ensure(2 * (to - from));
    byte[] bytes = target.bytes;
    int at = target.position;
    for (int i = from; i < to; i++) {
      byte b = text[i];
      if (b == '\t' || b == '\n' || b == '\\') {
        bytes[at++] = '\\';
        b = (byte) (b == '\t' ? 't' : b == '\n' ? 'n' : '\\');
      }
      bytes[at++] = b;
    }
    target.position = at;
  }
}
