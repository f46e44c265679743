package org.kblake.query.internal.arrow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * One Arrow buffer of a batch, filled again for every batch.
 *
 * <p>Allocating a buffer for each batch takes twice as long as filling it. So the same memory is
 * written again, unless a user of the last batch has retained it. That memory then stays with the
 * user, and this buffer allocates other memory.
 */
final class BatchBuffer implements AutoCloseable {

  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  private final BufferAllocator allocator;
  private @Nullable ArrowBuf buffer;
  private ByteBuffer bytes = NOTHING;

  BatchBuffer(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Begins a batch. The vectors of the last batch must have released it.
   *
   * @return whether the memory is new, with unknown contents
   */
  boolean begin(int capacity) {
    ArrowBuf current = buffer;
    if (current != null && current.refCnt() == 1 && bytes.capacity() >= capacity) {
      return false;
    }
    close();
    take(allocator.buffer(Math.max(capacity, Long.BYTES)));
    return true;
  }

  /** Ensures a capacity in bytes. The bytes used so far are kept. */
  void ensure(int used, int capacity) {
    if (bytes.capacity() >= capacity) {
      return;
    }
    long doubled = Math.min(2L * bytes.capacity(), Integer.MAX_VALUE - Long.BYTES);
    ArrowBuf wider = allocator.buffer(Math.max(capacity, doubled));
    ArrowBuf narrow = buffer;
    if (narrow != null) {
      wider.setBytes(0, narrow, 0, used);
      narrow.close();
    }
    take(wider);
  }

  private void take(ArrowBuf taken) {
    buffer = taken;
    int size = (int) Math.min(taken.capacity(), Integer.MAX_VALUE - Long.BYTES);
    bytes = taken.nioBuffer(0, size).order(ByteOrder.nativeOrder());
  }

  /**
   * Returns the buffer's memory, for absolute access. Valid until the next call of begin or ensure.
   */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Returns the buffer with the length of a batch. */
  ArrowBuf filled(long length) {
    ArrowBuf current = buffer;
    if (current == null) {
      throw new IllegalStateException("buffer is not begun");
    }
    current.readerIndex(0);
    current.writerIndex(length);
    return current;
  }

  @Override
  public void close() {
    ArrowBuf current = buffer;
    buffer = null;
    bytes = NOTHING;
    if (current != null) {
      current.close();
    }
  }
}
