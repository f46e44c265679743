package org.kblake.core.internal.parquet.file;

import java.util.EnumSet;
import java.util.Set;
import org.kblake.core.columns.Codec;

/**
 * The options of written files.
 *
 * @param codec the codec of column chunks that become smaller by it; others stay uncompressed
 * @param lake for Spark: time is a plain INT64 of nanoseconds and no page is BYTE_STREAM_SPLIT
 * @param dense with LZ4: column chunks that are much smaller with Zstandard than with LZ4 use
 *     Zstandard
 * @param annotated small integers have their widths as annotations, and strays are RLE; Apache
 *     Iceberg in Spark reads neither
 */
public record WriteProfile(Codec codec, boolean lake, boolean dense, boolean annotated) {

  /** The first format of stores whose files for Spark are not annotated. */
  private static final int FIRST_FORMAT_WITHOUT_ANNOTATIONS = 2;

  /** LZ4, every encoding, time as TIMESTAMP(NANOS, UTC), dense. */
  public static final WriteProfile STANDARD = new WriteProfile(Codec.LZ4, false);

  /**
   * Creates a profile that is dense if the codec is LZ4 and {@code lake} is false, and annotated if
   * {@code lake} is false.
   */
  public WriteProfile(Codec codec, boolean lake) {
    this(codec, lake, codec == Codec.LZ4 && !lake, !lake);
  }

  /** Returns this profile as files of a store's format have it. */
  public WriteProfile inFormat(int version) {
    return new WriteProfile(
        codec, lake, dense, annotated || version < FIRST_FORMAT_WITHOUT_ANNOTATIONS);
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
