package org.kblake.ingest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import org.kblake.core.log.DirectPieces;

/**
 * Memory for rows, in slabs of one size, up to a budget. A segment is never split, so a single one
 * may need more than the budget: what goes beyond lies in a temporary file, mapped, which the
 * operating system may write out. Slabs of the budget are used again, and given back with {@link
 * #close}. Safe for many threads.
 */
final class RowMemory {

  /** Bytes of a slab: a power of two. */
  static final int SLAB_BYTES = DirectPieces.BYTES;

  private final long budgetBytes;
  private final Path overflowDirectory;
  private final Deque<Slab> free = new ArrayDeque<>();
  private long allocatedBytes;
  private long usedBytes;

  /**
   * @param budgetBytes of direct memory
   * @param overflowDirectory where the temporary file goes; must exist when the budget is passed
   */
  RowMemory(long budgetBytes, Path overflowDirectory) {
    this.budgetBytes = budgetBytes;
    this.overflowDirectory = overflowDirectory;
  }

  /**
   * A piece of memory.
   *
   * @param bytes little-endian
   * @param pooled whether it is of the budget and will be used again
   */
  record Slab(ByteBuffer bytes, boolean pooled) {}

  /** Memory of {@link #SLAB_BYTES}. */
  Slab slab() throws IOException {
    return slab(SLAB_BYTES);
  }

  /** Memory of at least a size; one larger than a slab is not used again. */
  synchronized Slab slab(int bytes) throws IOException {
    int size = Math.max(bytes, SLAB_BYTES);
    usedBytes += size;
    if (size == SLAB_BYTES) {
      Slab reused = free.poll();
      if (reused != null) {
        reused.bytes.clear();
        return reused;
      }
      if (allocatedBytes + size <= budgetBytes) {
        allocatedBytes += size;
        return new Slab(DirectPieces.take().order(ByteOrder.LITTLE_ENDIAN), true);
      }
    }
    return new Slab(overflow(size), false);
  }

  private ByteBuffer overflow(int bytes) throws IOException {
    Files.createDirectories(overflowDirectory);
    Path file = Files.createTempFile(overflowDirectory, "unfinished-rows", ".tmp");
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** Gives memory back. */
  synchronized void release(Slab slab) {
    usedBytes -= slab.bytes.capacity();
    if (slab.pooled) {
      free.push(slab);
    }
  }

  /** Lets others use what is not in use here. */
  synchronized void close() {
    for (Slab slab : free) {
      DirectPieces.giveBack(slab.bytes.order(ByteOrder.BIG_ENDIAN));
      allocatedBytes -= SLAB_BYTES;
    }
    free.clear();
  }

  /** Whether what is in use has reached the budget. */
  synchronized boolean full() {
    return usedBytes >= budgetBytes;
  }

  long budgetBytes() {
    return budgetBytes;
  }
}
