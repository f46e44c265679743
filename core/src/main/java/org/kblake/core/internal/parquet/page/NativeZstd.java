package org.kblake.core.internal.parquet.page;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;

/** Zstandard by the native library. */
final class NativeZstd implements ZstdCodec {

  private static final int LEVEL = 3;

  /**
   * Loads the library.
   *
   * @throws LinkageError if there is none for this system, or it does not load
   */
  NativeZstd() {
    Zstd.defaultCompressionLevel();
  }

  @Override
  public int decompress(ByteBuffer from, byte[] into, int room) throws MalformedPageException {
    try {
      return ZstdContexts.decompress(from, into, room);
    } catch (ZstdException e) {
      throw new MalformedPageException("zstd: " + e.getMessage(), room + " bytes");
    }
  }

  @Override
  public int bound(int plainBytes) {
    return Math.toIntExact(Zstd.compressBound(plainBytes));
  }

  @Override
  public int compress(byte[] from, int length, byte[] into, int offset) {
    long size = Zstd.compressByteArray(into, offset, into.length - offset, from, 0, length, LEVEL);
    if (Zstd.isError(size)) {
      throw new IllegalStateException("zstd: " + Zstd.getErrorName(size));
    }
    return (int) size;
  }

  @Override
  public OutputStream stream(OutputStream out) throws IOException {
    return new ZstdOutputStreamNoFinalizer(out);
  }
}
