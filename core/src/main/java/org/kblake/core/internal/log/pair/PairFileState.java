package org.kblake.core.internal.log.pair;

import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FileState;

/**
 * The attributes of a pair's files in a snapshot.
 *
 * @param index the attributes of the index before it was read
 * @param log the attributes of the log after that
 * @param dataBytes the bytes of the log that count as written; more than the log has now if a copy
 *     has its lost end
 * @param endsWritten whether the last of these bytes was read and was not zero
 * @param closed whether the pair is closed
 * @param tailFinal whether all bytes below the size are final as soon as the size is visible
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

  /** Returns the identity of the log; null if the file system has none. */
  public @Nullable Object key() {
    return log.key();
  }

  /** Returns the size of the log, with an end that only a copy has. */
  public long logBytes() {
    return Math.max(log.bytes(), dataBytes);
  }
}
