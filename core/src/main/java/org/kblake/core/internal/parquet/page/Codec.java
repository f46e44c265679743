package org.kblake.core.internal.parquet.page;

import org.apache.parquet.format.CompressionCodec;

/**
 * The compression of pages. The order of the constants is part of the format of chunk directories.
 */
public enum Codec {
  NONE(CompressionCodec.UNCOMPRESSED),
  /** Raw LZ4 blocks, never Hadoop's framing. */
  LZ4(CompressionCodec.LZ4_RAW),
  GZIP(CompressionCodec.GZIP),
  ZSTD(CompressionCodec.ZSTD);

  private final CompressionCodec parquet;

  Codec(CompressionCodec parquet) {
    this.parquet = parquet;
  }

  public CompressionCodec parquet() {
    return parquet;
  }
}
