package org.kblake.core.internal.parquet.page;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Decompresses Zstandard with contexts that are used again: the library makes one for each call
 * otherwise, of some hundred kilobytes that the system takes back and clears again each time. Safe
 * for many threads; there are as many contexts as decompressed at once, none is ever lost.
 */
final class ZstdContexts {

  /** Those of more threads are closed when they are done. */
  private static final int MOST_IDLE = 32;

  private static final BlockingQueue<ZstdDecompressCtx> IDLE = new ArrayBlockingQueue<>(MOST_IDLE);

  private ZstdContexts() {}

  /**
   * Decompresses the bytes between a buffer's position and limit, which stay as they are.
   *
   * @param from memory outside of the heap
   * @return bytes written
   * @throws ZstdException if they are not what was compressed, or become more than there is room
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
