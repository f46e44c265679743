package org.kblake.query.arrow;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.kblake.core.store.EventColumns;

/** The value column of a batch. */
interface ValueColumn extends AutoCloseable {

  /**
   * Forgets the last batch.
   *
   * @param capacity rows that there will be at most
   */
  void begin(int capacity);

  /** Adds the values of rows [from, to); null where a row's state is not value. */
  void append(EventColumns rows, int from, int to);

  /** Adds what Arrow needs to know of the rows since begin, children behind their parent. */
  void addTo(List<ArrowFieldNode> nodes, List<ArrowBuf> buffers);

  @Override
  void close();

  static ValueColumn of(EventSchema schema, BufferAllocator allocator) {
    if (schema.isUnion()) {
      return new UnionColumn(schema.shapes(), allocator);
    }
    Elements elements =
        schema.asDouble()
            ? Elements.asDouble(allocator)
            : Elements.of(schema.shapes().get(0).type(), allocator);
    return schema.isList()
        ? new ListColumn(elements, allocator)
        : new ScalarColumn(elements, allocator);
  }

  static ValueColumn of(ValueShape shape, BufferAllocator allocator) {
    Elements elements = Elements.of(shape.type(), allocator);
    return shape.waveform()
        ? new ListColumn(elements, allocator)
        : new ScalarColumn(elements, allocator);
  }
}
