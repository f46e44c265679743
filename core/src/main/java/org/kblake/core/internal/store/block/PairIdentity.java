package org.kblake.core.internal.store.block;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.start.ColdStart;

/**
 * What a pair is known by: a block of a pair with another identity is not of this archive's pair.
 *
 * @param indexHeadSha256 of the index file's bytes before the milestone table
 * @param firstMilestoneSha256 of the log's first event
 */
public record PairIdentity(byte[] indexHeadSha256, byte[] firstMilestoneSha256) {

  /** Reads a pair's identity: a few kilobytes, or a milestone of many records. */
  public static PairIdentity of(PairLog log) throws IOException {
    return new PairIdentity(sha256(log.indexHead()), sha256(log.firstEvent()));
  }

  /**
   * Whether both are of one pair: a record compares arrays by what they are, not what they hold.
   */
  public boolean isSame(PairIdentity other) {
    return Arrays.equals(indexHeadSha256, other.indexHeadSha256)
        && Arrays.equals(firstMilestoneSha256, other.firstMilestoneSha256);
  }

  static byte[] sha256(byte[] bytes) {
    if (ColdStart.IS_COLD) {
      return Sha256.of(bytes);
    }
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
