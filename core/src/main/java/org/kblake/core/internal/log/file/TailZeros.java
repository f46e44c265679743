package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Finds the zeros at the end of a log. A network file system may show zeros instead of bytes that
 * have not arrived yet.
 */
public final class TailZeros {

  private static final int BUFFER_BYTES = 1 << 16;

  private TailZeros() {}

  /** Returns whether the last of the first {@code bytes} bytes is not zero. */
  public static boolean endsWritten(LogFile log, long bytes) throws IOException {
    if (bytes == 0) {
      return false;
    }
    ByteBuffer last = ByteBuffer.allocate(1);
    log.readFully(last, bytes - 1);
    return last.get(0) != 0;
  }

  /**
   * Returns the size of a log without the zeros at its end. The part of an event below this size is
   * known to be written.
   */
  public static long lastWritten(LogFile log, long logBytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    long end = logBytes;
    while (end > 0) {
      int bytes = (int) Math.min(BUFFER_BYTES, end);
      log.readFully(buffer.clear().limit(bytes), end - bytes);
      for (int i = bytes - 1; i >= 0; i--) {
        if (buffer.get(i) != 0) {
          return end - bytes + i + 1;
        }
      }
      end -= bytes;
    }
    return 0;
  }
}
