package org.kblake.query.internal.arrow;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.kblake.core.columns.EventColumns;

/** A column with one element in each row. */
final class ScalarColumn implements ValueColumn {

  private final ElementBuffers elements;
  private final Validity validity;

  ScalarColumn(ElementBuffers elements, BufferAllocator allocator) {
    this.elements = elements;
    validity = new Validity(allocator);
  }

  @Override
  public void begin(int capacity) {
    elements.begin(capacity);
    validity.begin(capacity);
  }

  @Override
  public void append(EventColumns rows, int from, int to) {
    elements.append(rows, from, to);
    validity.append(rows.state, from, to);
  }

  @Override
  public void appendNulls(int count) {
    elements.appendZeros(count);
    validity.appendNulls(count);
  }

  @Override
  public int rows() {
    return validity.rows();
  }

  @Override
  public void addTo(List<ArrowFieldNode> nodes, List<ArrowBuf> buffers) {
    nodes.add(new ArrowFieldNode(validity.rows(), validity.nulls()));
    buffers.add(validity.filled());
    elements.addBuffers(buffers);
  }

  @Override
  public void close() {
    elements.close();
    validity.close();
  }
}
