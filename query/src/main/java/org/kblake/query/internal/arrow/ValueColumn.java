package org.kblake.query.internal.arrow;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.kblake.core.columns.EventColumns;

/** A column of values of a batch. */
interface ValueColumn extends AutoCloseable {

  /**
   * Begins a batch.
   *
   * @param capacity the most rows of the batch
   */
  void begin(int capacity);

  /** Adds the values of rows [from, to); null where a row's state is not value. */
  void append(EventColumns rows, int from, int to);

  /** Adds rows without a value. */
  void appendNulls(int count);

  /** Returns the number of rows since begin. */
  int rows();

  /** Adds the Arrow nodes and buffers of the rows since begin, children after their parent. */
  void addTo(List<ArrowFieldNode> nodes, List<ArrowBuf> buffers);

  @Override
  void close();

  static ValueColumn of(ValueField field, BufferAllocator allocator) {
    ElementBuffers elements =
        field.asDouble()
            ? ElementBuffers.asDouble(allocator)
            : ElementBuffers.of(field.types().get(0), allocator);
    return field.list()
        ? new ListColumn(elements, allocator)
        : new ScalarColumn(elements, allocator);
  }
}
