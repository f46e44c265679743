package org.kblake.query.internal.arrow;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.kblake.core.columns.EventColumns;
import org.kblake.query.arrow.ValueShape;

/**
 * The values of a batch: a column for each kind that the answer has. A row's value is in the column
 * of its kind and null in the others.
 */
final class ValueColumns implements AutoCloseable {

  private final BatchSchema schema;
  private final List<ValueField> fields;
  private final ValueColumn[] columns;
  private int rows;

  ValueColumns(BatchSchema schema, BufferAllocator allocator) {
    this.schema = schema;
    fields = schema.valueFields();
    columns = new ValueColumn[fields.size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = ValueColumn.of(fields.get(i), allocator);
    }
  }

  /**
   * Begins a batch.
   *
   * @param capacity the most rows of the batch
   */
  void begin(int capacity) {
    for (ValueColumn column : columns) {
      column.begin(capacity);
    }
    rows = 0;
  }

  /** Adds the values of rows [from, to); null where a row's state is not value. */
  void append(EventColumns events, int from, int to) {
    ValueColumn column = columns[columnOf(events)];
    column.appendNulls(rows - column.rows());
    column.append(events, from, to);
    rows += to - from;
  }

  private int columnOf(EventColumns events) {
    for (int i = 0; i < columns.length; i++) {
      if (schema.asDouble() || fields.get(i).holds(events.type(), events.waveform())) {
        return i;
      }
    }
    throw new IllegalStateException(
        "events of a type that the answer has no column for: type="
            + new ValueShape(events.type(), events.waveform()).text()
            + ", columns="
            + schema.shapes().stream().map(ValueShape::text).toList());
  }

  /** Adds the Arrow nodes and buffers of the rows since begin, column after column. */
  void addTo(List<ArrowFieldNode> nodes, List<ArrowBuf> buffers) {
    for (ValueColumn column : columns) {
      column.appendNulls(rows - column.rows());
      column.addTo(nodes, buffers);
    }
  }

  @Override
  public void close() {
    for (ValueColumn column : columns) {
      column.close();
    }
  }
}
