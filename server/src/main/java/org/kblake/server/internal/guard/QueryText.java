package org.kblake.server.internal.guard;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The path or the query of a URL as text. */
final class QueryText {

  private static final int HEX = 16;

  private QueryText() {}

  /** Returns the text with its percent signs decoded, or null if it is not UTF-8. */
  static @Nullable String decode(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        if (i + 2 >= text.length()) {
          return null;
        }
        int high = Character.digit(text.charAt(i + 1), HEX);
        int low = Character.digit(text.charAt(i + 2), HEX);
        if (high < 0 || low < 0) {
          return null;
        }
        bytes.write(high * HEX + low);
        i += 2;
      } else {
        bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
