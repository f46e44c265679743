package org.kblake.record.source;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Copies of bytes and texts, without a change of the buffers' positions of the source. */
final class Bytes {

  private Bytes() {}

  /** Returns the offset of the first zero byte, or the end. */
  static int endOfText(ByteBuffer source, int from, int end) {
    int to = from;
    while (to < end && source.get(to) != 0) {
      to++;
    }
    return to;
  }

  /**
   * Returns the text from an offset to the first zero byte or the end. What is no UTF-8 is read as
   * ISO 8859-1.
   */
  static String text(ByteBuffer source, int from, int end) {
    byte[] text = new byte[endOfText(source, from, end) - from];
    source.get(from, text);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    } catch (CharacterCodingException e) {
      return new String(text, StandardCharsets.ISO_8859_1);
    }
  }

  /** Appends bytes to a buffer. */
  static void copy(ByteBuffer source, int from, ByteBuffer target, int length) {
    target.put(target.position(), source, from, length);
    target.position(target.position() + length);
  }
}
