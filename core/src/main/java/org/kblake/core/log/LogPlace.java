package org.kblake.core.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where a snapshot's log is read.
 *
 * @param pair the pair
 * @param key what identified the log, null where the file system has no such thing
 * @param copy what is at hand of it; null if nothing is
 * @param reachable whether what is not at hand is read in the archive; if not, it is unavailable
 */
record LogPlace(Pair pair, @Nullable Object key, @Nullable LogCopy copy, boolean reachable) {

  LogFile open() throws IOException {
    return LogFile.open(this);
  }

  /** Whether the bytes at an offset can be had, as far as can be told without asking. */
  boolean has(long offset, int bytes) {
    return reachable
        || copy != null && offset >= copy.fromOffset() && offset + bytes <= copy.endOffset();
  }
}
