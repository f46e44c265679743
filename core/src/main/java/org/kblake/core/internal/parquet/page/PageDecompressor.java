package org.kblake.core.internal.parquet.page;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import net.jpountz.lz4.LZ4Exception;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;

/** Decompresses whole pages whose length is known. */
final class PageDecompressor {

  /** The largest number of bytes that one compressed byte can expand to, by the codec's format. */
  private static final int LZ4_RATIO = 255;

  private static final int GZIP_RATIO = 1032;
  private static final int ZSTD_RATIO = 1 << 16;

  private byte[] stored = new byte[0];

  /** Returns whether a decompressed size is possible. It is checked before memory is allocated. */
  static boolean plausible(Codec codec, int storedBytes, int plainBytes) {
    return switch (codec) {
      case NONE -> storedBytes == plainBytes;
      case LZ4 -> plainBytes <= (long) storedBytes * LZ4_RATIO;
      case GZIP -> plainBytes <= (long) storedBytes * GZIP_RATIO;
      case ZSTD -> plainBytes <= (long) storedBytes * ZSTD_RATIO;
    };
  }

  /**
   * Decompresses the bytes between the buffer's position and limit into exactly {@code plainBytes}.
   *
   * @param from a direct buffer
   */
  void decompress(Codec codec, ByteBuffer from, byte[] into, int plainBytes)
      throws MalformedPageException {
    int written =
        switch (codec) {
          case NONE -> copy(from, into);
          case LZ4 -> lz4(from, into, plainBytes);
          case GZIP -> gzip(from, into, plainBytes);
          case ZSTD -> Zstandard.CODEC.decompress(from, into, plainBytes);
        };
    if (written != plainBytes) {
      throw new MalformedPageException(
          codec + " page of " + written + " bytes", plainBytes + " bytes");
    }
  }

  private static int copy(ByteBuffer from, byte[] into) {
    int length = from.remaining();
    from.get(into, 0, length);
    return length;
  }

  private int lz4(ByteBuffer from, byte[] into, int plainBytes) throws MalformedPageException {
    try {
      if (!Lz4.IS_NATIVE) {
        // Java copies bytes of arrays several times faster than those of direct buffers.
        int length = load(from);
        return Lz4.DECOMPRESSOR.decompress(stored, 0, length, into, 0, plainBytes);
      }
      return Lz4.DECOMPRESSOR.decompress(
          from, from.position(), from.remaining(), ByteBuffer.wrap(into), 0, plainBytes);
    } catch (LZ4Exception e) {
      throw new MalformedPageException("LZ4: " + e.getMessage(), plainBytes + " bytes");
    }
  }

  private int gzip(ByteBuffer from, byte[] into, int plainBytes) throws MalformedPageException {
    int length = load(from);
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(stored, 0, length))) {
      int read = gzip.readNBytes(into, 0, plainBytes);
      return gzip.read() < 0 ? read : plainBytes + 1;
    } catch (IOException e) {
      throw new MalformedPageException("gzip: " + e.getMessage(), plainBytes + " bytes");
    }
  }

  private int load(ByteBuffer from) {
    int length = from.remaining();
    if (stored.length < length) {
      stored = new byte[length + (length >> 1)];
    }
    from.get(stored, 0, length);
    return length;
  }
}
