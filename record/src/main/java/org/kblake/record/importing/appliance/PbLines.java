package org.kblake.record.importing.appliance;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The lines of a file, without the escapes of line feeds: 0x1B 1, 2 and 3 stand for 0x1B, 0x0A and
 * 0x0D. Memory has the longest line, at most 32 MiB. For one thread.
 */
final class PbLines {

  static final int MOST_BYTES = 32 << 20;

  private static final byte LINE_FEED = 0x0A;
  private static final byte ESCAPE = 0x1B;

  /** What {@link #next} found. */
  enum Found {
    /** A line, whose bytes are in {@link #bytes}. */
    LINE,
    /** A line that is longer than any sample, which was passed over. */
    TOO_LONG,
    /** Bytes without a line feed at the end of the file. */
    CUT,
    /** The end. */
    END
  }

  private final OpenFiles files;
  private final Path file;
  private byte[] buffer;
  private long bufferOffset;
  private int position;
  private int limit;
  private long lineOffset;
  private byte[] line = {};
  private int length;

  /**
   * @param bufferBytes the size of the buffer, which grows with the lines
   */
  PbLines(OpenFiles files, Path file, int bufferBytes) {
    this(files, file, bufferBytes, 0);
  }

  /**
   * @param offset the begin of a line
   */
  PbLines(OpenFiles files, Path file, int bufferBytes, long offset) {
    this.files = files;
    this.file = file;
    buffer = new byte[bufferBytes];
    bufferOffset = offset;
  }

  /** Reads the next line that is not empty. */
  Found next() throws IOException {
    while (true) {
      int end = lineFeed();
      lineOffset = bufferOffset + position;
      if (end < 0) {
        return atEnd();
      }
      int begin = position;
      position = end + 1;
      if (end > begin) {
        unescape(begin, end);
        return Found.LINE;
      }
    }
  }

  private Found atEnd() throws IOException {
    if (limit - position >= MOST_BYTES) {
      boolean isEnded = passOver();
      return isEnded ? Found.TOO_LONG : Found.CUT;
    }
    boolean isCut = limit > position;
    position = limit;
    return isCut ? Found.CUT : Found.END;
  }

  /** Passes over a line that is too long. Returns whether it has an end. */
  private boolean passOver() throws IOException {
    while (true) {
      bufferOffset += limit;
      position = 0;
      limit = Math.max(0, files.read(file, bufferOffset, ByteBuffer.wrap(buffer)));
      if (limit == 0) {
        return false;
      }
      int end = indexOf(0);
      if (end >= 0) {
        position = end + 1;
        return true;
      }
    }
  }

  /** Returns the place of the next line feed in the buffer, which is filled as needed; or -1. */
  private int lineFeed() throws IOException {
    int from = position;
    while (true) {
      int end = indexOf(from);
      if (end >= 0 || limit - position >= MOST_BYTES) {
        return end;
      }
      int searched = limit - position;
      makeRoom();
      ByteBuffer free = ByteBuffer.wrap(buffer, limit, buffer.length - limit);
      int read = files.read(file, bufferOffset + limit, free);
      if (read <= 0) {
        return -1;
      }
      limit += read;
      from = position + searched;
    }
  }

  private int indexOf(int from) {
    for (int i = from; i < limit; i++) {
      if (buffer[i] == LINE_FEED) {
        return i;
      }
    }
    return -1;
  }

  private void makeRoom() {
    if (position > 0) {
      System.arraycopy(buffer, position, buffer, 0, limit - position);
      bufferOffset += position;
      limit -= position;
      position = 0;
    }
    if (limit == buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.min(MOST_BYTES, 2 * buffer.length));
    }
  }

  private void unescape(int begin, int end) {
    if (line.length < end - begin) {
      line = new byte[Math.max(end - begin, 2 * line.length)];
    }
    length = 0;
    for (int i = begin; i < end; i++) {
      byte next = buffer[i];
      if (next == ESCAPE && i + 1 < end) {
        i++;
        next = unescaped(buffer[i]);
      }
      line[length++] = next;
    }
  }

  private static byte unescaped(byte code) {
    return switch (code) {
      case 1 -> ESCAPE;
      case 2 -> LINE_FEED;
      case 3 -> 0x0D;
      default -> code;
    };
  }

  /** Returns the bytes of the line, valid until the next one; only the first ones count. */
  byte[] bytes() {
    return line;
  }

  /** Returns the number of bytes of the line. */
  int length() {
    return length;
  }

  /** Returns the offset of the line in the file. */
  long lineOffset() {
    return lineOffset;
  }

  /** Returns the offset behind the line. */
  long offset() {
    return bufferOffset + position;
  }
}
