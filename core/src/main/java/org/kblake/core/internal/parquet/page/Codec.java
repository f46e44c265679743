package org.kblake.core.internal.parquet.page;

import org.apache.parquet.format.CompressionCodec;

/** How pages are compressed. The order is part of the chunk directory. */
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
