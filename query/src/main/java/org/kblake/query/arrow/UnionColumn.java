package org.kblake.query.arrow;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.kblake.core.store.EventColumns;

/**
 * Values of several types: each row names the child that has it and its place there. A union has no
 * nulls of its own; a row without a value is a null of the child of its channel's type.
 */
final class UnionColumn implements ValueColumn {

  private static final int SCRATCH = 1024;

  private final List<ValueShape> shapes;
  private final ValueColumn[] children;
  private final int[] childRows;
  private final BatchBuffer typeIds;
  private final BatchBuffer offsets;
  private final int[] offsetScratch = new int[SCRATCH];
  private final byte[] typeScratch = new byte[SCRATCH];
  private int rows;

  UnionColumn(List<ValueShape> shapes, BufferAllocator allocator) {
    this.shapes = shapes;
    children = new ValueColumn[shapes.size()];
    childRows = new int[shapes.size()];
    for (int i = 0; i < children.length; i++) {
      children[i] = ValueColumn.of(shapes.get(i), allocator);
    }
    typeIds = new BatchBuffer(allocator);
    offsets = new BatchBuffer(allocator);
  }

  @Override
  public void begin(int capacity) {
    for (ValueColumn child : children) {
      child.begin(capacity);
    }
    typeIds.begin(capacity);
    offsets.begin(Math.multiplyExact(capacity, Integer.BYTES));
    Arrays.fill(childRows, 0);
    rows = 0;
  }

  @Override
  public void append(EventColumns from, int fromRow, int toRow) {
    int child = childOf(from);
    children[child].append(from, fromRow, toRow);
    for (int done = fromRow; done < toRow; done += SCRATCH) {
      int length = Math.min(SCRATCH, toRow - done);
      for (int i = 0; i < length; i++) {
        typeScratch[i] = (byte) child;
        offsetScratch[i] = childRows[child] + i;
      }
      Copies.bytes(typeScratch, 0, length, typeIds.bytes(), rows);
      Copies.ints(offsetScratch, 0, length, offsets.bytes(), rows * Integer.BYTES);
      childRows[child] += length;
      rows += length;
    }
  }

  private int childOf(EventColumns from) {
    for (int i = 0; i < shapes.size(); i++) {
      ValueShape shape = shapes.get(i);
      if (shape.type() == from.type() && shape.waveform() == from.waveform()) {
        return i;
      }
    }
    throw new IllegalStateException(
        "events of a type that the answer has no column for: type="
            + new ValueShape(from.type(), from.waveform()).text()
            + ", columns="
            + shapes.stream().map(ValueShape::text).toList());
  }

  @Override
  public void addTo(List<ArrowFieldNode> nodes, List<ArrowBuf> buffers) {
    nodes.add(new ArrowFieldNode(rows, 0));
    buffers.add(typeIds.filled(rows));
    buffers.add(offsets.filled((long) rows * Integer.BYTES));
    for (ValueColumn child : children) {
      child.addTo(nodes, buffers);
    }
  }

  @Override
  public void close() {
    for (ValueColumn child : children) {
      child.close();
    }
    typeIds.close();
    offsets.close();
  }
}
