package org.kblake.core.internal.parquet.file;

import java.util.EnumSet;
import java.util.Set;
import org.kblake.core.internal.parquet.page.Codec;

/**
 * The options of written files.
 *
 * @param codec the codec of column chunks that become smaller by it; others stay uncompressed
 * @param lake for Spark and Apache Iceberg: integers have no annotation, stray is PLAIN, and no
 *     page is BYTE_STREAM_SPLIT
 * @param dense with LZ4: column chunks that are much smaller with Zstandard than with LZ4 use
 *     Zstandard
 */
public record WriteProfile(Codec codec, boolean lake, boolean dense) {

  /** LZ4, every encoding, time as TIMESTAMP(NANOS, UTC), dense. */
  public static final WriteProfile STANDARD = new WriteProfile(Codec.LZ4, false);

  /** Creates a profile that is dense if the codec is LZ4 and {@code lake} is false. */
  public WriteProfile(Codec codec, boolean lake) {
    this(codec, lake, codec == Codec.LZ4 && !lake);
  }

  /** Returns the codecs that columns may have. */
  public Set<Codec> codecs() {
    Set<Codec> codecs = EnumSet.of(Codec.NONE, codec);
    if (dense) {
      codecs.add(Codec.ZSTD);
    }
    return codecs;
  }
}
