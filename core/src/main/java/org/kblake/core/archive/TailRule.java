package org.kblake.core.archive;

/** Whether the last bytes of a growing log are final. */
public enum TailRule {
  /** {@link #PROVISIONAL} on file systems that are not known to be local, else {@link #FINAL}. */
  AUTO,
  /** Every byte below the file's size is final, as on a local disk. */
  FINAL,
  /**
   * Bytes at the end may still read as zeros, as over NFS: an event counts as written once a
   * non-zero byte follows it, or its own last byte is not zero, or the file has settled.
   */
  PROVISIONAL
}
