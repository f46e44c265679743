package org.kblake.core.metadata;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * The text of a file in UTF-8, with line feeds at the ends of lines. Lines that are not UTF-8 are
 * noted, and do not matter for others.
 */
final class ChannelsText {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final StringBuilder text;
  private final BitSet wrongLines = new BitSet();

  ChannelsText(byte[] bytes) {
    text = new StringBuilder(bytes.length);
    CharsetDecoder strict =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    int from = startsWithMark(bytes) ? BYTE_ORDER_MARK.length : 0;
    for (int line = 1; from < bytes.length; line++) {
      int end = from;
      while (end < bytes.length && bytes[end] != '\n' && bytes[end] != '\r') {
        end++;
      }
      try {
        CharBuffer decoded = strict.decode(ByteBuffer.wrap(bytes, from, end - from));
        text.append(decoded);
      } catch (CharacterCodingException e) {
        wrongLines.set(line);
        text.append(new String(bytes, from, end - from, StandardCharsets.UTF_8));
      }
      if (end < bytes.length) {
        text.append('\n');
        boolean pair = bytes[end] == '\r' && end + 1 < bytes.length && bytes[end + 1] == '\n';
        end += pair ? 2 : 1;
      }
      from = end;
    }
  }

  private static boolean startsWithMark(byte[] bytes) {
    return bytes.length >= BYTE_ORDER_MARK.length
        && bytes[0] == BYTE_ORDER_MARK[0]
        && bytes[1] == BYTE_ORDER_MARK[1]
        && bytes[2] == BYTE_ORDER_MARK[2];
  }

  CharSequence text() {
    return text;
  }

  /** Returns whether one of some lines is not UTF-8. */
  boolean isWrong(int firstLine, int lastLine) {
    int wrong = wrongLines.nextSetBit(firstLine);
    return wrong >= 0 && wrong <= lastLine;
  }
}
