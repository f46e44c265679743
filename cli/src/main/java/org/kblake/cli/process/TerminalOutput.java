package org.kblake.cli.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Text for a terminal, in UTF-8. Control characters and characters that change the order of others
 * become visible escapes, such as {@code \}{@code u001b}: a name or a value in a file cannot
 * control the terminal of its reader. Line ends and tabs stay. The program's own control sequences
 * begin with {@link #CONTROL}, which no file can know. Not buffered. Thread safe.
 */
public final class TerminalOutput extends OutputStream {

  /** Stands for the first two characters of a control sequence, ESC and a bracket. */
  public static final String CONTROL =
      "\u001b" + Long.toHexString(new SplittableRandom().nextLong() | Long.MIN_VALUE) + "[";

  private static final byte[] MARK = CONTROL.getBytes(StandardCharsets.US_ASCII);
  private static final int ESCAPE = 0x1b;

  /** The first byte of the character that stands for bytes that are not UTF-8. */
  private static final int REPLACEMENT = 0xef;

  private final OutputStream out;
  private final boolean escapes;
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  /** The begin of a character or mark whose other bytes were not written yet. */
  private byte[] begun = {};

  /**
   * @param out gets the text
   * @param escapes whether it is a terminal; elsewhere only the program's own sequences are changed
   */
  public TerminalOutput(OutputStream out, boolean escapes) {
    this.out = out;
    this.escapes = escapes;
  }

  /** Returns a stream of lines to a terminal. */
  public static PrintStream lines(PrintStream out, boolean escapes) {
    return new PrintStream(new TerminalOutput(out, escapes), true, StandardCharsets.UTF_8);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int length) throws IOException {
    byte[] text = Arrays.copyOf(begun, begun.length + length);
    System.arraycopy(bytes, from, text, begun.length, length);
    show(text, false);
  }

  @Override
  public synchronized void flush() throws IOException {
    show(begun, true);
    out.flush();
  }

  @Override
  public synchronized void close() throws IOException {
    flush();
    out.close();
  }

  private void show(byte[] text, boolean isEnd) throws IOException {
    int at = 0;
    while (at < text.length) {
      int length = lengthAt(text, at);
      if (at + length > text.length) {
        if (!isEnd) {
          break;
        }
        length = 1;
      }
      put(text, at, length);
      at += length;
    }
    begun = Arrays.copyOfRange(text, at, text.length);
    shown.writeTo(out);
    shown.reset();
  }

  /** Returns the bytes of a character, mark or line end, as far as the written bytes tell. */
  private static int lengthAt(byte[] text, int at) {
    int first = text[at] & 0xff;
    if (first == ESCAPE) {
      int end = Math.min(text.length, at + MARK.length);
      return Arrays.equals(text, at, end, MARK, 0, end - at) ? MARK.length : 1;
    }
    if (first == '\r') {
      return at + 1 == text.length || text[at + 1] == '\n' ? 2 : 1;
    }
    int length = first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    for (int i = at + 1; i < Math.min(text.length, at + length); i++) {
      if ((text[i] & 0xc0) != 0x80) {
        return 1;
      }
    }
    return length;
  }

  private void put(byte[] text, int at, int length) {
    if (length == MARK.length) {
      shown.write(ESCAPE);
      shown.write('[');
      return;
    }
    if (escapes && text[at] != '\n' && text[at] != '\t' && text[at + length - 1] != '\n') {
      String character = new String(text, at, length, StandardCharsets.UTF_8);
      int code = character.codePointAt(0);
      if (code == 0xfffd && (text[at] & 0xff) != REPLACEMENT) {
        for (int i = at; i < at + length; i++) {
          escape("\\x%02x", text[i] & 0xff);
        }
        return;
      }
      if (isControl(code)) {
        escape(code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
        return;
      }
    }
    shown.write(text, at, length);
  }

  private void escape(String format, int code) {
    shown.writeBytes(String.format(format, code).getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns whether a character controls a terminal, or the order or place of other characters. */
  private static boolean isControl(int code) {
    return switch (Character.getType(code)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
