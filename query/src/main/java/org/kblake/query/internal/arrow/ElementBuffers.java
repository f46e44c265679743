package org.kblake.query.internal.arrow;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;

/** The bare elements of a value column, one behind the other, nulls as zeros. */
interface ElementBuffers extends AutoCloseable {

  /** Forgets the last batch. */
  void begin(int capacity);

  /** Adds elements [from, to) of the rows. */
  void append(EventColumns rows, int from, int to);

  /** Adds elements of rows without a value: zeros, or empty texts. */
  void appendZeros(int more);

  /** Elements since begin. */
  int count();

  /** Adds the buffers behind the validity's, in Arrow's order. */
  void addBuffers(List<ArrowBuf> buffers);

  @Override
  void close();

  static ElementBuffers of(ValueType type, BufferAllocator allocator) {
    return type == ValueType.STRING
        ? new TextElements(allocator)
        : new FixedElements(allocator, FixedElements.narrowing(type));
  }

  /** Elements of any type as doubles. */
  static ElementBuffers asDouble(BufferAllocator allocator) {
    return new FixedElements(allocator, new WideningToDouble());
  }
}
