package org.kblake.cli.settings;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.UsageException;

/** The bytes of a settings file as text. */
final class SettingsText {

  private static final int BYTE_ORDER_MARK = 0xfeff;

  private SettingsText() {}

  /**
   * Reads a file.
   *
   * @param where the name of the file for messages
   * @throws UsageException if it cannot be read, or is not UTF-8 without a byte order mark
   */
  static String read(Path path, String where) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(path);
    } catch (IOException e) {
      throw new UsageException("settings cannot be read: " + ErrorLine.of(e), e);
    }
    if (bytes.length > 1 && isMark16(bytes[0] & 0xff, bytes[1] & 0xff)) {
      throw new UsageException(where + ": line 1: file is UTF-16; save it as UTF-8");
    }
    CharBuffer text = CharBuffer.allocate(bytes.length);
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
    text.flip();
    if (result.isError()) {
      long line = text.chars().filter(character -> character == '\n').count() + 1;
      throw new UsageException(
          where + ": line " + line + ": file is not UTF-8; save it as UTF-8",
          new CharacterCodingException());
    }
    if (text.length() > 0 && text.charAt(0) == BYTE_ORDER_MARK) {
      throw new UsageException(
          where
              + ": line 1: file begins with a byte order mark (BOM);"
              + " save it as UTF-8 without BOM");
    }
    return text.toString();
  }

  private static boolean isMark16(int first, int second) {
    return first == 0xfe && second == 0xff || first == 0xff && second == 0xfe;
  }
}
