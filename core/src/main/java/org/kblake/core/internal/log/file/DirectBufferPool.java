package org.kblake.core.internal.log.file;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Pieces of direct memory that the process uses again and again. Direct memory that is dropped
 * comes back only when the heap is collected, which a process that does little else does rarely: so
 * a closed file returns its pieces, and there are never more than were in use at a time. Safe for
 * many threads.
 */
public final class DirectBufferPool {

  /** Bytes of a piece: a power of two. */
  public static final int BYTES = 1 << 20;

  private static final ConcurrentLinkedDeque<ByteBuffer> IDLE = new ConcurrentLinkedDeque<>();

  private DirectBufferPool() {}

  /** A piece from 0 to its capacity, big-endian, with whatever was in it. */
  public static ByteBuffer take() {
    ByteBuffer idle = IDLE.poll();
    return idle == null ? ByteBuffer.allocateDirect(BYTES) : idle.clear();
  }

  /**
   * Returns a piece, which must not be used afterwards.
   *
   * @param piece what {@link #take} returned, not a view of it
   */
  public static void giveBack(ByteBuffer piece) {
    IDLE.push(piece);
  }
}
