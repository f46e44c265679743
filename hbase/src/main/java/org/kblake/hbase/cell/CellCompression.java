package org.kblake.hbase.cell;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;

/** The compressions of HBase's files that need no library of the operating system. */
public enum CellCompression {
  NONE(Algorithm.NONE, "", ""),
  GZ(Algorithm.GZ, "", ""),
  SNAPPY(
      Algorithm.SNAPPY,
      Compression.SNAPPY_CODEC_CLASS_KEY,
      "org.apache.hadoop.hbase.io.compress.aircompressor.SnappyCodec"),
  LZ4(
      Algorithm.LZ4,
      Compression.LZ4_CODEC_CLASS_KEY,
      "org.apache.hadoop.hbase.io.compress.lz4.Lz4Codec"),
  ZSTD(
      Algorithm.ZSTD,
      Compression.ZSTD_CODEC_CLASS_KEY,
      "org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec");

  private final Algorithm algorithm;
  private final String key;
  private final String codec;

  CellCompression(Algorithm algorithm, String key, String codec) {
    this.algorithm = algorithm;
    this.key = key;
    this.codec = codec;
  }

  /** Returns HBase's name of the compression. */
  public Algorithm algorithm() {
    return algorithm;
  }

  /** Selects the codecs that need no library of the operating system, in this process. */
  public static void select(Configuration configuration) {
    for (CellCompression each : values()) {
      if (!each.key.isEmpty()) {
        configuration.set(each.key, each.codec);
        each.algorithm.reload(configuration);
      }
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
