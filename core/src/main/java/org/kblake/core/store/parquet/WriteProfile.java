package org.kblake.core.store.parquet;

/**
 * What files are written for.
 *
 * @param codec the codec of column chunks that it makes smaller; others stay uncompressed
 * @param lake for Spark: time is a bare INT64 of nanoseconds and no page is BYTE_STREAM_SPLIT
 */
public record WriteProfile(Codec codec, boolean lake) {

  /** LZ4, every encoding, time as TIMESTAMP(NANOS, UTC). */
  public static final WriteProfile STANDARD = new WriteProfile(Codec.LZ4, false);
}
