package org.kblake.core.internal.parquet.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Compressor;
import org.apache.parquet.format.CompressionCodec;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.encoding.ByteOutput;

/** Compresses whole pages. */
public final class PageCompressor {

  private PageCompressor() {}

  /** Returns the codec's name in Parquet. */
  public static CompressionCodec parquet(Codec codec) {
    return switch (codec) {
      case NONE -> CompressionCodec.UNCOMPRESSED;
      case LZ4 -> CompressionCodec.LZ4_RAW;
      case GZIP -> CompressionCodec.GZIP;
      case ZSTD -> CompressionCodec.ZSTD;
    };
  }

  /**
   * Compresses a page and appends it.
   *
   * @param thorough whether to compress slower and better if the codec can; reading costs the same
   * @return the number of bytes appended
   */
  public static int compress(Codec codec, boolean thorough, ByteOutput page, ByteOutput out) {
    int before = out.size;
    switch (codec) {
      case NONE -> out.write(page.bytes, 0, page.size);
      case LZ4 -> {
        LZ4Compressor lz4 = thorough ? Lz4.HIGH : Lz4.FAST;
        int room = lz4.maxCompressedLength(page.size);
        out.ensure(room);
        out.size += lz4.compress(page.bytes, 0, page.size, out.bytes, out.size, room);
      }
      case GZIP -> {
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
          gzip.write(page.bytes, 0, page.size);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      case ZSTD -> {
        out.ensure(Zstandard.CODEC.bound(page.size));
        out.size += Zstandard.CODEC.compress(page.bytes, page.size, out.bytes, out.size);
      }
    }
    return out.size - before;
  }
}
