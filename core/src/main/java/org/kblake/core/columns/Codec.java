package org.kblake.core.columns;

/**
 * The compression of the pages of a file. The order of the constants is part of the format of chunk
 * directories.
 */
public enum Codec {
  NONE,
  /** Raw LZ4 blocks, never Hadoop's framing. */
  LZ4,
  GZIP,
  ZSTD
}
