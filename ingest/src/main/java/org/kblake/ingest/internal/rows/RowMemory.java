package org.kblake.ingest.internal.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.DirectBufferPool;
import org.kblake.core.internal.store.file.StoreWriteException;

/**
 * Memory for rows, in slabs of equal size, up to a budget. A segment is never split, so one segment
 * may need more than the budget. The rest is then in a mapped temporary file, which the operating
 * system may write to disk. Slabs of the budget are used again until {@link #close}. Safe for many
 * threads.
 */
public final class RowMemory {

  /** Bytes of a slab: a power of two. */
  public static final int SLAB_BYTES = DirectBufferPool.BYTES;

  private static final int ZEROS_BYTES = 1 << 16;

  private final long budgetBytes;
  private final Path overflowDirectory;
  private final Deque<Slab> free = new ArrayDeque<>();
  private long allocatedBytes;
  private long usedBytes;

  /**
   * @param budgetBytes bytes of direct memory
   * @param overflowDirectory the directory of the temporary file; created if needed
   */
  public RowMemory(long budgetBytes, Path overflowDirectory) {
    this.budgetBytes = budgetBytes;
    this.overflowDirectory = overflowDirectory;
  }

  /**
   * A slab of memory.
   *
   * @param bytes the memory, little-endian
   * @param pooled whether it belongs to the budget and will be used again
   */
  record Slab(ByteBuffer bytes, boolean pooled) {}

  /**
   * Returns memory of {@link #SLAB_BYTES}.
   *
   * @throws StoreWriteException if the budget is used up and the disk is full
   */
  Slab slab() throws IOException {
    return slab(SLAB_BYTES);
  }

  /** Returns memory of at least a size. Memory larger than a slab is not used again. */
  synchronized Slab slab(int bytes) throws IOException {
    int size = Math.max(bytes, SLAB_BYTES);
    Slab slab = size == SLAB_BYTES ? ofBudget() : null;
    if (slab == null) {
      slab = new Slab(overflow(size), false);
    }
    usedBytes += size;
    return slab;
  }

  /** Returns a slab of the budget; null if the budget is used up. */
  private @Nullable Slab ofBudget() {
    Slab reused = free.poll();
    if (reused != null) {
      reused.bytes.clear();
      return reused;
    }
    if (allocatedBytes + SLAB_BYTES > budgetBytes) {
      return null;
    }
    allocatedBytes += SLAB_BYTES;
    return new Slab(DirectBufferPool.take().order(ByteOrder.LITTLE_ENDIAN), true);
  }

  private ByteBuffer overflow(int bytes) throws IOException {
    try {
      Files.createDirectories(overflowDirectory);
      Path file = Files.createTempFile(overflowDirectory, "unfinished-rows", ".tmp");
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE)) {
        allocate(channel, bytes);
        return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes).order(ByteOrder.LITTLE_ENDIAN);
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreWriteException(e);
    }
  }

  /**
   * Writes zeros, so that a full disk is an error now. On a full disk, a write to a mapped page
   * without disk blocks would fail with an {@link InternalError}.
   */
  private static void allocate(FileChannel channel, int bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(ZEROS_BYTES);
    for (int left = bytes; left > 0; ) {
      zeros.clear().limit(Math.min(left, ZEROS_BYTES));
      left -= channel.write(zeros);
    }
  }

  /** Gives memory back to the budget. */
  synchronized void release(Slab slab) {
    usedBytes -= slab.bytes.capacity();
    if (slab.pooled) {
      free.push(slab);
    }
  }

  /** Gives unused slabs to the pool of the process. */
  public synchronized void close() {
    for (Slab slab : free) {
      DirectBufferPool.giveBack(slab.bytes.order(ByteOrder.BIG_ENDIAN));
      allocatedBytes -= SLAB_BYTES;
    }
    free.clear();
  }

  /** Returns whether the memory in use has reached the budget. */
  synchronized boolean full() {
    return usedBytes >= budgetBytes;
  }

  public long budgetBytes() {
    return budgetBytes;
  }
}
