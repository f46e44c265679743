package org.kblake.core.internal.log.file;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A pool of direct buffers of one size. The memory of an unreachable direct buffer is released only
 * at a garbage collection of the heap. A process that allocates little on the heap rarely has one.
 * Therefore a closed file returns its buffers to the pool. The pool never has more buffers than
 * were in use at one time. Safe for many threads.
 */
public final class DirectBufferPool {

  /** The size of a buffer in bytes: a power of two. */
  public static final int BYTES = 1 << 20;

  private static final ConcurrentLinkedDeque<ByteBuffer> IDLE = new ConcurrentLinkedDeque<>();

  private DirectBufferPool() {}

  /**
   * Returns a buffer with position 0, limit at its capacity, and big-endian order. Its contents are
   * undefined.
   */
  public static ByteBuffer take() {
    ByteBuffer idle = IDLE.poll();
    return idle == null ? ByteBuffer.allocateDirect(BYTES) : idle.clear();
  }

  /**
   * Returns a buffer to the pool. The caller must not use it afterwards.
   *
   * @param buffer the buffer that {@link #take} returned, not a view of it
   */
  public static void giveBack(ByteBuffer buffer) {
    IDLE.push(buffer);
  }
}
