package org.kblake.query.internal.arrow;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;

/** The elements of a value column, one after the other. Nulls are zeros. */
interface ElementBuffers extends AutoCloseable {

  /** Begins a batch. */
  void begin(int capacity);

  /** Adds elements [from, to) of the rows. */
  void append(EventColumns rows, int from, int to);

  /** Adds elements of rows without a value: zeros, or empty texts. */
  void appendZeros(int more);

  /** Returns the number of elements since begin. */
  int count();

  /** Adds the buffers after the validity buffer, in Arrow's order. */
  void addBuffers(List<ArrowBuf> buffers);

  @Override
  void close();

  static ElementBuffers of(ValueType type, BufferAllocator allocator) {
    return type == ValueType.STRING
        ? new TextElements(allocator)
        : new FixedElements(allocator, FixedElements.narrowing(type));
  }

  /** Returns buffers that convert elements of any type to doubles. */
  static ElementBuffers asDouble(BufferAllocator allocator) {
    return new FixedElements(allocator, new WideningToDouble());
  }
}
