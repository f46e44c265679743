package org.kblake.record.source;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory of all events that wait, in chunks whose sizes are powers of two, and which are used
 * again. Any thread may use it.
 */
public final class EventMemory {

  private static final int SIZES = 31;

  private final long mostBytes;
  private final List<Deque<ByteBuffer>> kept = new ArrayList<>();
  private long usedBytes;
  private long keptBytes;
  private boolean isShared;

  /**
   * @param mostBytes the bytes of all chunks, except those of {@link #takeAnyway}
   */
  public EventMemory(long mostBytes) {
    this.mostBytes = mostBytes;
    for (int i = 0; i < SIZES; i++) {
      kept.add(new ArrayDeque<>());
    }
  }

  /** Sets whether several groups use it: then each that leaves room has half of it at most. */
  public synchronized void share(boolean shares) {
    isShared = shares;
  }

  /** Returns the bytes that are in use. */
  synchronized long usedBytes() {
    return usedBytes;
  }

  /** Returns whether more than half of the bytes are in use. */
  public synchronized boolean isHalfUsed() {
    return usedBytes > mostBytes / 2;
  }

  /**
   * Returns a chunk, or null if there is none.
   *
   * @param bytes its size, a power of two
   * @param ownBytes what the caller has
   * @param leaves whether an eighth of all bytes must be left for others
   */
  synchronized @Nullable ByteBuffer take(int bytes, long ownBytes, boolean leaves) {
    long most = leaves ? mostBytes - mostBytes / 8 : mostBytes;
    if (leaves && isShared && ownBytes + bytes > mostBytes / 2) {
      return null;
    }
    return usedBytes + bytes > most ? null : takeAnyway(bytes);
  }

  /** Returns a chunk, whatever is in use. */
  synchronized ByteBuffer takeAnyway(int bytes) {
    usedBytes += bytes;
    ByteBuffer chunk = kept.get(Integer.numberOfTrailingZeros(bytes)).poll();
    if (chunk == null) {
      return ByteBuffer.allocateDirect(bytes);
    }
    keptBytes -= bytes;
    return chunk.clear();
  }

  /** Gives a chunk back. An eighth of all bytes stays allocated. */
  synchronized void give(ByteBuffer chunk) {
    int bytes = chunk.capacity();
    usedBytes -= bytes;
    if (keptBytes + bytes <= mostBytes / 8) {
      keptBytes += bytes;
      kept.get(Integer.numberOfTrailingZeros(bytes)).push(chunk);
    }
  }
}
