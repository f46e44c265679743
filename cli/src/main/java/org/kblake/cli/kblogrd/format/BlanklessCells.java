package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.kblake.format.text.TextBuffer;

/**
 * Cells whose strings have no blank and are never empty, because programs split lines at blanks. A
 * blank becomes {@code _}, an empty string {@code ""}. Blanks are the characters at which Python's
 * {@code split} splits, in and outside of ASCII.
 */
final class BlanklessCells extends Cells {

  private static final byte[] EMPTY = {'"', '"'};

  @Override
  void writeText(byte[] text, int from, int to, TextBuffer target) throws IOException {
    if (from == to) {
      target.put(EMPTY);
      return;
    }
    for (int i = from; i < to; i++) {
      if (text[i] < 0) {
        writeWide(new String(text, from, to - from, StandardCharsets.UTF_8), target);
        return;
      }
    }
    target.ensure(to - from);
    for (int i = from; i < to; i++) {
      target.bytes[target.position++] = isBlank(text[i]) ? (byte) '_' : text[i];
    }
  }

  private static void writeWide(String text, TextBuffer target) throws IOException {
    StringBuilder unblank = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      unblank.append(isBlank(c) ? '_' : c);
    }
    target.put(unblank.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isBlank(int c) {
    return c == ' '
        || c >= '\t' && c <= '\r'
        || c >= 0x1c && c <= 0x1f
        || c >= 0x80 && (c == 0x85 || Character.isSpaceChar(c));
  }
}
