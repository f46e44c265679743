package org.kblake.query.internal.arrow;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.kblake.core.columns.EventColumns;

/** Texts: their offsets and their bytes. */
final class TextElements implements ElementBuffers {

  private static final int USUAL_BYTES = 16;

  private final OffsetBuffer starts;
  private final BatchBuffer text;
  private int bytes;

  TextElements(BufferAllocator allocator) {
    starts = new OffsetBuffer(allocator);
    text = new BatchBuffer(allocator);
  }

  @Override
  public void begin(int capacity) {
    starts.begin(capacity);
    text.begin(Math.multiplyExact(capacity, USUAL_BYTES));
    bytes = 0;
  }

  @Override
  public void append(EventColumns rows, int from, int to) {
    int textFrom = rows.textStarts[from];
    int length = rows.textStarts[to] - textFrom;
    text.ensure(bytes, Math.addExact(bytes, length));
    text.bytes().put(bytes, rows.text, textFrom, length);
    bytes += length;
    starts.append(rows.textStarts, from, to);
  }

  @Override
  public void appendZeros(int more) {
    starts.appendEmpty(more);
  }

  @Override
  public int count() {
    return starts.count();
  }

  @Override
  public void addBuffers(List<ArrowBuf> buffers) {
    buffers.add(starts.filled());
    buffers.add(text.filled(bytes));
  }

  @Override
  public void close() {
    starts.close();
    text.close();
  }
}
