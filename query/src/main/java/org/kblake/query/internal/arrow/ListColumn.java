package org.kblake.query.internal.arrow;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;

/** A column with a list in each row: the elements of a waveform, or a scalar as a list of one. */
final class ListColumn implements ValueColumn {

  private final BufferAllocator allocator;
  private final ElementBuffers elements;
  private final OffsetBuffer starts;
  private final Validity validity;

  ListColumn(ElementBuffers elements, BufferAllocator allocator) {
    this.allocator = allocator;
    this.elements = elements;
    starts = new OffsetBuffer(allocator);
    validity = new Validity(allocator);
  }

  @Override
  public void begin(int capacity) {
    elements.begin(capacity);
    starts.begin(capacity);
    validity.begin(capacity);
  }

  @Override
  public void append(EventColumns rows, int from, int to) {
    if (rows.waveform()) {
      elements.append(rows, rows.listStarts[from], rows.listStarts[to]);
      starts.append(rows.listStarts, from, to);
    } else {
      for (int row = from; row < to; row++) {
        boolean value = rows.state[row] == EventState.VALUE_CODE;
        if (value) {
          elements.append(rows, row, row + 1);
        }
        starts.append(value ? 1 : 0);
      }
    }
    validity.append(rows.state, from, to);
  }

  @Override
  public void appendNulls(int count) {
    starts.appendEmpty(count);
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
    buffers.add(starts.filled());
    nodes.add(new ArrowFieldNode(elements.count(), 0));
    buffers.add(allocator.getEmpty());
    elements.addBuffers(buffers);
  }

  @Override
  public void close() {
    elements.close();
    starts.close();
    validity.close();
  }
}
