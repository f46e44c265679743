package org.kblake.core.internal.mirror;

/**
 * A span of a log in a mirror, with a checksum for each page.
 *
 * @param fromOffset the offset in the log where the first page begins
 * @param toOffset the offset in the log behind the last byte
 * @param checksums CRC-32C of each page, of the last page up to {@code toOffset}; the array is
 *     never changed
 */
record CopiedSpan(long fromOffset, long toOffset, int[] checksums) {

  /** The unit of checksums. */
  static final int PAGE_BYTES = 1 << 16;

  static final CopiedSpan NOTHING = new CopiedSpan(0, 0, new int[0]);

  static int pages(long fromOffset, long toOffset) {
    return (int) ((toOffset - fromOffset + PAGE_BYTES - 1) / PAGE_BYTES);
  }

  boolean holds(long offset) {
    return offset >= fromOffset && offset < toOffset;
  }

  /** Returns the number of the page that contains an offset. */
  int page(long offset) {
    return (int) ((offset - fromOffset) / PAGE_BYTES);
  }

  long pageOffset(int page) {
    return fromOffset + (long) page * PAGE_BYTES;
  }

  int pageBytes(int page) {
    return (int) Math.min(PAGE_BYTES, toOffset - pageOffset(page));
  }
}
