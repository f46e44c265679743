package org.kblake.server.internal.appliance.form;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes messages as lines. Bytes that would end a line are escaped:
 *
 * <pre>
 *   1B -&gt; 1B 01     0A -&gt; 1B 02     0D -&gt; 1B 03
 * </pre>
 */
final class EscapedLines extends OutputStream {

  private static final int ESCAPE = 0x1b;
  private static final int LINE_END = 0x0a;
  private static final int RETURN = 0x0d;

  private final OutputStream out;
  private final byte[] buffer = new byte[1 << 15];
  private int count;

  EscapedLines(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int value) throws IOException {
    if (count + 2 > buffer.length) {
      pass();
    }
    int escaped = escaped((byte) value);
    if (escaped != 0) {
      buffer[count++] = ESCAPE;
      buffer[count++] = (byte) escaped;
    } else {
      buffer[count++] = (byte) value;
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int next = offset;
    while (next < offset + length) {
      if (buffer.length - count < 2) {
        pass();
      }
      // Each byte may take two.
      int end = Math.min(offset + length, next + (buffer.length - count) / 2);
      int at = count;
      for (; next < end; next++) {
        int escaped = escaped(bytes[next]);
        if (escaped != 0) {
          buffer[at++] = ESCAPE;
          buffer[at++] = (byte) escaped;
        } else {
          buffer[at++] = bytes[next];
        }
      }
      count = at;
    }
  }

  private static int escaped(byte value) {
    return switch (value) {
      case ESCAPE -> 1;
      case LINE_END -> 2;
      case RETURN -> 3;
      default -> 0;
    };
  }

  /** Ends a line. */
  void endLine() throws IOException {
    if (count == buffer.length) {
      pass();
    }
    buffer[count++] = LINE_END;
  }

  /** Passes the bytes on. */
  void pass() throws IOException {
    out.write(buffer, 0, count);
    count = 0;
  }
}
