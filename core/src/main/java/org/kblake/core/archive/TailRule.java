package org.kblake.core.archive;

/** The rule that decides whether the last bytes of a growing log are final. */
public enum TailRule {
  /** {@link #PROVISIONAL} on file systems that are not known to be local, else {@link #FINAL}. */
  AUTO,
  /** Every byte below the file's size is final, as on a local disk. */
  FINAL,
  /**
   * Bytes at the end may still read as zeros, as over NFS. An event counts as written if a non-zero
   * byte follows it, if its own last byte is not zero, or if the file is unchanged for {@link
   * ArchiveSettings#settleNanos}.
   */
  PROVISIONAL
}
