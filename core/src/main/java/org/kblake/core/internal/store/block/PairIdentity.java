package org.kblake.core.internal.store.block;

import java.io.IOException;
import java.util.Arrays;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.file.Sha256;

/**
 * The identity of a pair. A block of a pair with another identity does not belong to this archive's
 * pair.
 *
 * @param indexHeadSha256 the SHA-256 of the index file's bytes before the milestone table
 * @param firstMilestoneSha256 the SHA-256 of the log's first event
 * @param whole whether the log has the whole first event; otherwise the record table alone decides
 */
public record PairIdentity(byte[] indexHeadSha256, byte[] firstMilestoneSha256, boolean whole) {

  /** Reads a pair's identity. It reads a few kilobytes, or more for a milestone of many records. */
  public static PairIdentity of(PairLog log) throws IOException {
    byte[] first = log.firstEvent();
    return new PairIdentity(Sha256.of(log.indexHead()), Sha256.of(first), !log.endsWithin(first));
  }

  /**
   * Returns whether two identities are equal. {@code equals} of a record compares references of
   * arrays.
   */
  public boolean isSame(PairIdentity other) {
    return Arrays.equals(indexHeadSha256, other.indexHeadSha256)
        && (!whole
            || !other.whole
            || Arrays.equals(firstMilestoneSha256, other.firstMilestoneSha256));
  }
}
