package org.kblake.core.internal.parquet.page;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;

/** Zstandard in pure Java. */
final class JavaZstd implements ZstdCodec {

  @Override
  public int decompress(ByteBuffer from, byte[] into, int room) throws MalformedPageException {
    ByteBuffer target = ByteBuffer.wrap(into, 0, room);
    try {
      // Its tables are small, and it is not safe for many threads.
      new ZstdDecompressor().decompress(from.duplicate(), target);
    } catch (MalformedInputException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new MalformedPageException("zstd: " + e.getMessage(), room + " bytes");
    }
    return target.position();
  }

  @Override
  public int bound(int plainBytes) {
    return new ZstdCompressor().maxCompressedLength(plainBytes);
  }

  @Override
  public int compress(byte[] from, int length, byte[] into, int offset) {
    return new ZstdCompressor().compress(from, 0, length, into, offset, into.length - offset);
  }

  @Override
  public OutputStream stream(OutputStream out) throws IOException {
    return new ZstdOutputStream(out);
  }
}
