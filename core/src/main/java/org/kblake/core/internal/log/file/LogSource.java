package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a snapshot's log is read.
 *
 * @param what what errors begin with
 * @param path the log in the archive
 * @param access how the archive is asked
 * @param key what identified the log, null where the file system has no such thing
 * @param copy what is at hand of it; null if nothing is
 * @param reachable whether what is not at hand is read in the archive; if not, it is unavailable
 */
public record LogSource(
    String what,
    Path path,
    FileAccess access,
    @Nullable Object key,
    @Nullable LogCopy copy,
    boolean reachable) {

  public LogFile open() throws IOException {
    return LogFile.open(this);
  }

  /** Whether the bytes at an offset can be had, as far as is known without an access. */
  public boolean has(long offset, int bytes) {
    return reachable
        || copy != null && offset >= copy.fromOffset() && offset + bytes <= copy.endOffset();
  }
}
