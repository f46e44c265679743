package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The places from which a snapshot reads its log.
 *
 * @param what the beginning of error messages
 * @param path the log in the archive
 * @param access the access to the archive's file system
 * @param key the identity of the log, null if the file system has none
 * @param copy a copy of spans of the log; null if there is none
 * @param reachable whether bytes that the copy does not have are read from the archive; if not,
 *     they are unavailable
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

  /** Returns whether the bytes at an offset can be read, as far as is known without an access. */
  public boolean has(long offset, int bytes) {
    return reachable
        || copy != null && offset >= copy.fromOffset() && offset + bytes <= copy.endOffset();
  }
}
