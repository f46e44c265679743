package org.kblake.core.internal.log.inspect;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A stretch of a file, for showing it to people.
 *
 * @param offset where it begins in the file
 * @param count how many bytes it has
 * @param hex their digits in the order of the file; of a long stretch the first {@link #MOST} bytes
 *     only
 */
public record ShownBytes(long offset, long count, String hex) {

  /** Bytes of which digits are given. */
  public static final int MOST = 16;

  /** Whether there are more bytes than digits. */
  public boolean cut() {
    return count > MOST;
  }

  /**
   * @param bytes what is in reach
   * @param at the position of the first byte; as many as are shown must be in reach
   */
  static ShownBytes of(ByteBuffer bytes, int at, long offset, long count) {
    byte[] shown = new byte[(int) Math.min(MOST, count)];
    bytes.get(at, shown);
    return new ShownBytes(offset, count, HexFormat.of().formatHex(shown));
  }
}
