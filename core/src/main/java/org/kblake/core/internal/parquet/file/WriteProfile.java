package org.kblake.core.internal.parquet.file;

import java.util.EnumSet;
import java.util.Set;
import org.kblake.core.internal.parquet.page.Codec;

/**
 * What files are written for.
 *
 * @param codec the codec of column chunks that it makes smaller; others stay uncompressed
 * @param lake for Spark: time is a bare INT64 of nanoseconds and no page is BYTE_STREAM_SPLIT
 * @param dense with LZ4: column chunks that Zstandard makes much smaller than LZ4 can are given to
 *     Zstandard
 */
public record WriteProfile(Codec codec, boolean lake, boolean dense) {

  /** LZ4, every encoding, time as TIMESTAMP(NANOS, UTC), dense. */
  public static final WriteProfile STANDARD = new WriteProfile(Codec.LZ4, false);

  /** Dense if it is LZ4 and not for a lake. */
  public WriteProfile(Codec codec, boolean lake) {
    this(codec, lake, codec == Codec.LZ4 && !lake);
  }

  /** The codecs that columns may come to have. */
  public Set<Codec> codecs() {
    Set<Codec> codecs = EnumSet.of(Codec.NONE, codec);
    if (dense) {
      codecs.add(Codec.ZSTD);
    }
    return codecs;
  }
}
