package org.kblake.query.internal.arrow;

import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.kblake.core.model.EventState;

/** The validity bitmap of a batch: the rows that have a value. */
final class Validity implements AutoCloseable {

  private final BatchBuffer bitmap;
  private int rows;
  private int nulls;

  Validity(BufferAllocator allocator) {
    bitmap = new BatchBuffer(allocator);
  }

  void begin(int capacity) {
    int bytes = Bitmaps.bytesFor(capacity);
    bitmap.begin(bytes);
    Bitmaps.clear(bitmap.bytes(), bytes);
    rows = 0;
    nulls = 0;
  }

  /** Adds rows by their states, codes of {@link EventState}. */
  void append(byte[] states, int from, int to) {
    ByteBuffer bits = bitmap.bytes();
    int row = rows - from;
    if (allValues(states, from, to)) {
      Bitmaps.setRange(bits, rows, rows + to - from);
    } else {
      appendRanges(bits, row, states, from, to);
    }
    rows += to - from;
  }

  /** Adds rows without a value. */
  void appendNulls(int count) {
    rows += count;
    nulls += count;
  }

  /** Sets ranges of bits, because rows without a value are rare. */
  private void appendRanges(ByteBuffer bits, int row, byte[] states, int from, int to) {
    int i = from;
    while (i < to) {
      int end = i;
      while (end < to && states[end] == EventState.VALUE_CODE) {
        end++;
      }
      Bitmaps.setRange(bits, row + i, row + end);
      for (i = end; i < to && states[i] != EventState.VALUE_CODE; i++) {
        nulls++;
      }
    }
  }

  private static boolean allValues(byte[] states, int from, int to) {
    int odd = 0;
    for (int i = from; i < to; i++) {
      odd |= states[i] ^ EventState.VALUE_CODE;
    }
    return odd == 0;
  }

  int rows() {
    return rows;
  }

  int nulls() {
    return nulls;
  }

  ArrowBuf filled() {
    return bitmap.filled(Bitmaps.bytesFor(rows));
  }

  @Override
  public void close() {
    bitmap.close();
  }
}
