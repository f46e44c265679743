package org.kblake.core.internal.log.inspect;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A span of a file, as shown to users.
 *
 * @param offset its offset in the file
 * @param count the number of its bytes
 * @param hex the hexadecimal digits of its bytes in the order of the file; of a long span only the
 *     first {@link #MOST} bytes
 */
public record ShownBytes(long offset, long count, String hex) {

  /** The limit of bytes with digits. */
  public static final int MOST = 16;

  /** Returns whether there are more bytes than digits. */
  public boolean cut() {
    return count > MOST;
  }

  /**
   * @param bytes the bytes in memory
   * @param at the position of the first byte; all bytes with digits must be in memory
   */
  static ShownBytes of(ByteBuffer bytes, int at, long offset, long count) {
    byte[] shown = new byte[(int) Math.min(MOST, count)];
    bytes.get(at, shown);
    return new ShownBytes(offset, count, HexFormat.of().formatHex(shown));
  }
}
