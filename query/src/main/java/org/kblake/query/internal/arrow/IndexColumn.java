package org.kblake.query.internal.arrow;

import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Indices into a dictionary. */
final class IndexColumn implements AutoCloseable {

  private static final int SCRATCH = 1024;

  private final BatchBuffer data;
  private final int[] run = new int[SCRATCH];
  private int rows;

  /** How many rows of the buffer, from its first, are known to hold {@link #leading}. */
  private int led;

  private int leading;

  IndexColumn(BufferAllocator allocator) {
    data = new BatchBuffer(allocator);
  }

  void begin(int capacity) {
    if (data.begin(Math.multiplyExact(capacity, Integer.BYTES))) {
      led = 0;
    }
    rows = 0;
  }

  /** Adds rows of one index. An answer of one channel is the last batch's buffer over again. */
  void append(int index, int count) {
    int end = rows + count;
    if (index == leading && end <= led) {
      rows = end;
      return;
    }
    if (run[0] != index) {
      Arrays.fill(run, index);
    }
    for (int done = 0; done < count; done += SCRATCH) {
      int length = Math.min(SCRATCH, count - done);
      BufferWrites.ints(run, 0, length, data.bytes(), (rows + done) * Integer.BYTES);
    }
    note(index, end);
    rows = end;
  }

  private void note(int index, int end) {
    if (rows == 0) {
      leading = index;
      led = end;
    } else if (index != leading) {
      led = Math.min(led, rows);
    } else if (led >= rows) {
      led = Math.max(led, end);
    }
  }

  ArrowBuf filled() {
    return data.filled((long) rows * Integer.BYTES);
  }

  @Override
  public void close() {
    data.close();
    led = 0;
  }
}
