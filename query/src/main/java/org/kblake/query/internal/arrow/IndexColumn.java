package org.kblake.query.internal.arrow;

import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** A column of indices into a dictionary. */
final class IndexColumn implements AutoCloseable {

  private static final int SCRATCH = 1024;

  private final BatchBuffer data;
  private final int[] filled = new int[SCRATCH];
  private int rows;

  /** The number of rows, from the first, that are known to contain {@link #leading}. */
  private int leadingRows;

  private int leading;

  IndexColumn(BufferAllocator allocator) {
    data = new BatchBuffer(allocator);
  }

  void begin(int capacity) {
    if (data.begin(Math.multiplyExact(capacity, Integer.BYTES))) {
      leadingRows = 0;
    }
    rows = 0;
  }

  /**
   * Adds rows of one index. For an answer of one channel, the buffer still has these rows from the
   * last batch.
   */
  void append(int index, int count) {
    int end = rows + count;
    if (index == leading && end <= leadingRows) {
      rows = end;
      return;
    }
    if (filled[0] != index) {
      Arrays.fill(filled, index);
    }
    for (int done = 0; done < count; done += SCRATCH) {
      int length = Math.min(SCRATCH, count - done);
      BufferWrites.ints(filled, 0, length, data.bytes(), (rows + done) * Integer.BYTES);
    }
    note(index, end);
    rows = end;
  }

  private void note(int index, int end) {
    if (rows == 0) {
      leading = index;
      leadingRows = end;
    } else if (index != leading) {
      leadingRows = Math.min(leadingRows, rows);
    } else if (leadingRows >= rows) {
      leadingRows = Math.max(leadingRows, end);
    }
  }

  ArrowBuf filled() {
    return data.filled((long) rows * Integer.BYTES);
  }

  @Override
  public void close() {
    data.close();
    leadingRows = 0;
  }
}
