package org.kblake.core.internal.log.pair;

import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FileState;

/**
 * What a snapshot noted of a pair's files.
 *
 * @param index the index, as it was before it was read
 * @param log the log, as it was after that
 * @param dataBytes how many bytes of the log are believed to be written
 * @param endsWritten whether the last of them was looked at, and was not zero
 * @param closed whether the pair is closed
 * @param tailFinal whether all bytes below the size are final as soon as they are there
 * @param mappable whether the log may be mapped: it will not change and lies on a local disk
 */
public record PairFileState(
    FileState index,
    FileState log,
    long dataBytes,
    boolean endsWritten,
    boolean closed,
    boolean tailFinal,
    boolean mappable) {

  /** What identifies the log; null where the file system has no such thing. */
  public @Nullable Object key() {
    return log.key();
  }

  /** Size of the log. */
  public long logBytes() {
    return log.bytes();
  }
}
