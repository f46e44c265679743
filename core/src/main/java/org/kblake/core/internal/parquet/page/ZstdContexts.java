package org.kblake.core.internal.parquet.page;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Decompresses Zstandard with reused contexts. Otherwise the library creates a context of some
 * hundred kilobytes for each call, and the system frees and clears this memory each time. Safe for
 * many threads. There are as many contexts as threads that decompressed at the same time.
 */
final class ZstdContexts {

  /** Further contexts are closed after use. */
  private static final int MAX_IDLE = 32;

  private static final BlockingQueue<ZstdDecompressCtx> IDLE = new ArrayBlockingQueue<>(MAX_IDLE);

  private ZstdContexts() {}

  /**
   * Decompresses the bytes between a buffer's position and limit. Both stay unchanged.
   *
   * @param from a direct buffer
   * @return the number of bytes written
   * @throws ZstdException if the bytes are damaged, or decompress to more than {@code room} bytes
   */
  static int decompress(ByteBuffer from, byte[] into, int room) {
    ZstdDecompressCtx idle = IDLE.poll();
    ZstdDecompressCtx context = idle == null ? new ZstdDecompressCtx() : idle;
    boolean kept = false;
    try {
      int written =
          context.decompressDirectByteBufferToByteArray(
              into, 0, room, from, from.position(), from.remaining());
      kept = IDLE.offer(context);
      return written;
    } finally {
      if (!kept) {
        context.close();
      }
    }
  }
}
