package org.kblake.ship.line;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/** Lines that are sent together, each with its line feed. It is filled again and again. */
public final class PointLines {

  private static final int FULL_BYTES = 2 << 20;

  private final int mostLines;
  private byte[] bytes = new byte[1 << 16];
  private int used;
  private int[] ends = new int[1024];
  private int lines;

  /**
   * @param mostLines the number of lines of a full batch; more may be added
   */
  public PointLines(int mostLines) {
    this.mostLines = mostLines;
  }

  /** Returns whether one more row of events fits. */
  public boolean hasRoom() {
    return lines < mostLines && used < FULL_BYTES;
  }

  public int lines() {
    return lines;
  }

  public void clear() {
    used = 0;
    lines = 0;
  }

  void put(byte[] text) {
    ensure(text.length);
    System.arraycopy(text, 0, bytes, used, text.length);
    used += text.length;
  }

  void put(String text) {
    put(text.getBytes(StandardCharsets.UTF_8));
  }

  void endLine() {
    ensure(1);
    bytes[used++] = '\n';
    if (lines == ends.length) {
      ends = Arrays.copyOf(ends, lines * 2);
    }
    ends[lines++] = used;
  }

  private void ensure(int more) {
    if (used + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(used + more, bytes.length * 3 / 2));
    }
  }

  private int start(int line) {
    return line == 0 ? 0 : ends[line - 1];
  }

  /** Returns the lines [from, to) as a new array. */
  public byte[] bytes(int from, int to) {
    return Arrays.copyOfRange(bytes, start(from), start(to));
  }

  /** Returns the lines [from, to), compressed with gzip. */
  public byte[] gzip(int from, int to) {
    int start = start(from);
    int length = start(to) - start;
    ByteArrayOutputStream packed = new ByteArrayOutputStream(length / 4 + 64);
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed, 1 << 13)) {
      gzip.write(bytes, start, length);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return packed.toByteArray();
  }
}
