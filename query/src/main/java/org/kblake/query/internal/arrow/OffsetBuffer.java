package org.kblake.query.internal.arrow;

import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Arrow offsets of texts or lists: one more than there are items. The first is 0. */
final class OffsetBuffer implements AutoCloseable {

  private static final int SCRATCH = 1024;

  private final BatchBuffer offsets;
  private final int[] scratch = new int[SCRATCH];
  private int count;
  private int end;

  OffsetBuffer(BufferAllocator allocator) {
    offsets = new BatchBuffer(allocator);
  }

  void begin(int capacity) {
    offsets.begin(Math.multiplyExact(Math.addExact(capacity, 1), Integer.BYTES));
    offsets.bytes().putInt(0, 0);
    count = 0;
    end = 0;
  }

  /**
   * Adds the items [from, to) of other offsets.
   *
   * @param starts the offsets, where {@code starts[to]} is the end of the last item
   */
  void append(int[] starts, int from, int to) {
    int by = end - starts[from];
    for (int first = from; first < to; first += SCRATCH) {
      int length = Math.min(SCRATCH, to - first);
      for (int i = 0; i < length; i++) {
        scratch[i] = starts[first + 1 + i] + by;
      }
      add(length);
    }
    end += starts[to] - starts[from];
  }

  /** Adds an item of a length. */
  void append(int length) {
    end += length;
    scratch[0] = end;
    add(1);
  }

  /** Adds items of length 0. */
  void appendEmpty(int more) {
    Arrays.fill(scratch, 0, Math.min(SCRATCH, more), end);
    for (int done = 0; done < more; done += SCRATCH) {
      add(Math.min(SCRATCH, more - done));
    }
  }

  private void add(int length) {
    int used = (count + 1) * Integer.BYTES;
    offsets.ensure(used, used + length * Integer.BYTES);
    BufferWrites.ints(scratch, 0, length, offsets.bytes(), used);
    count += length;
  }

  int count() {
    return count;
  }

  ArrowBuf filled() {
    return offsets.filled((count + 1L) * Integer.BYTES);
  }

  @Override
  public void close() {
    offsets.close();
  }
}
