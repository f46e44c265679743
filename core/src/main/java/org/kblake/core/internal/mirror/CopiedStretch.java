package org.kblake.core.internal.mirror;

/**
 * A stretch of a log that a mirror holds, with a checksum for each page.
 *
 * @param fromOffset of the log; a page begins there
 * @param toOffset of the log
 * @param checksums CRC-32C of the pages, the last as far as it is held; not changed any more
 */
record CopiedStretch(long fromOffset, long toOffset, int[] checksums) {

  /** What a reader checks at once. */
  static final int PAGE_BYTES = 1 << 16;

  static final CopiedStretch NOTHING = new CopiedStretch(0, 0, new int[0]);

  static int pages(long fromOffset, long toOffset) {
    return (int) ((toOffset - fromOffset + PAGE_BYTES - 1) / PAGE_BYTES);
  }

  boolean holds(long offset) {
    return offset >= fromOffset && offset < toOffset;
  }

  /** The page that an offset lies in. */
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
