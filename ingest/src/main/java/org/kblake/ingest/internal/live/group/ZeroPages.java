package org.kblake.ingest.internal.live.group;

import java.nio.ByteBuffer;

/**
 * Finds pages of a file that end in more zeros than an event's header has. Such a page may be
 * stale, with later events missing at its end. For one range that is read in order.
 */
public final class ZeroPages {

  private static final int PAGE_BYTES = 4096;
  private static final int SUSPICIOUS_BYTES = 16;

  private int zerosBefore;
  private boolean found;

  /**
   * Examines the next bytes.
   *
   * @param bytes the bytes; the position is not changed
   * @param offset the offset of the first byte in the file
   */
  public void examine(ByteBuffer bytes, long offset) {
    int limit = bytes.remaining();
    int from = bytes.position();
    int toPageEnd = (int) (PAGE_BYTES - offset % PAGE_BYTES);
    int at = 0;
    while (at < limit) {
      int end = Math.min(limit, at + toPageEnd);
      int zeros = 0;
      while (zeros < end - at && bytes.get(from + end - 1 - zeros) == 0) {
        zeros++;
      }
      zerosBefore = zeros == end - at ? zerosBefore + zeros : zeros;
      found |= end - at == toPageEnd && zerosBefore >= SUSPICIOUS_BYTES;
      at = end;
      toPageEnd = PAGE_BYTES;
    }
  }

  public boolean found() {
    return found;
  }
}
