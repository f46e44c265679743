package org.kblake.record.source;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Copies of bytes and texts, without a change of the buffers' positions of the source. */
final class Bytes {

  private Bytes() {}

  /** Returns the UTF-8 text from an offset to the first zero byte or the end. */
  static String text(ByteBuffer source, int from, int end) {
    int to = from;
    while (to < end && source.get(to) != 0) {
      to++;
    }
    byte[] text = new byte[to - from];
    source.get(from, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Appends bytes to a buffer. */
  static void copy(ByteBuffer source, int from, ByteBuffer target, int length) {
    target.put(target.position(), source, from, length);
    target.position(target.position() + length);
  }
}
