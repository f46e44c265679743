package org.kblake.query.internal.arrow;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;

/**
 * Collects events into one Arrow batch after another, adjacent rows at a time. Arrays are copied.
 * No value becomes an object. Not thread safe. The caller closes it.
 */
public final class EventBatch implements AutoCloseable {

  private final BatchSchema schema;
  private final int maxRows;
  private final long maxValueBytes;

  private final BatchBuffer valid;
  private final BatchBuffer time;
  private final IndexColumn channels;
  private final IndexColumn groups;
  private final BatchBuffer state;
  private final BatchBuffer severity;
  private final BatchBuffer status;
  private final BatchBuffer stray;
  private final ValueColumns values;

  private int rows;
  private long valueBytes;

  /**
   * @param maxRows the most rows of a batch, at least 1
   * @param maxValueBytes the most bytes of texts and lists in a batch; a batch has at least one row
   *     of any length
   */
  public EventBatch(
      BufferAllocator allocator, BatchSchema schema, int maxRows, long maxValueBytes) {
    this.schema = schema;
    this.maxRows = maxRows;
    this.maxValueBytes = maxValueBytes;
    valid = new BatchBuffer(allocator);
    time = new BatchBuffer(allocator);
    channels = new IndexColumn(allocator);
    groups = new IndexColumn(allocator);
    state = new BatchBuffer(allocator);
    severity = new BatchBuffer(allocator);
    status = new BatchBuffer(allocator);
    stray = new BatchBuffer(allocator);
    values = new ValueColumns(schema, allocator);
  }

  /** Begins a batch. The vectors of the last batch must have released its buffers. */
  public void begin() {
    int bitmapBytes = Bitmaps.bytesFor(maxRows);
    if (valid.begin(bitmapBytes)) {
      Bitmaps.setRange(valid.bytes(), 0, bitmapBytes * Byte.SIZE);
    }
    time.begin(Math.multiplyExact(maxRows, Long.BYTES));
    channels.begin(maxRows);
    if (schema.withGroup()) {
      groups.begin(maxRows);
    }
    state.begin(maxRows);
    severity.begin(maxRows);
    status.begin(Math.multiplyExact(maxRows, Short.BYTES));
    if (schema.withStray()) {
      stray.begin(bitmapBytes);
      Bitmaps.clear(stray.bytes(), bitmapBytes);
    }
    values.begin(maxRows);
    rows = 0;
    valueBytes = 0;
  }

  /** Returns the number of rows since begin. */
  public int rows() {
    return rows;
  }

  /**
   * Adds events of one channel, as many as fit.
   *
   * @param from the first row
   * @param to the row after the last
   * @param channel index into the dictionary of channels
   * @param group index into the dictionary of groups
   * @return rows added; fewer than requested when the batch is full
   */
  public int append(EventColumns events, int from, int to, int channel, int group) {
    int end = Math.min(to, from + maxRows - rows);
    if (events.waveform() || events.type() == ValueType.STRING) {
      end = fitting(events, from, end);
    }
    int count = end - from;
    if (count > 0) {
      BufferWrites.longs(events.timeNanos, from, count, time.bytes(), rows * Long.BYTES);
      channels.append(channel, count);
      if (schema.withGroup()) {
        groups.append(group, count);
      }
      BufferWrites.bytes(events.state, from, count, state.bytes(), rows);
      BufferWrites.bytes(events.severity, from, count, severity.bytes(), rows);
      BufferWrites.shorts(events.status, from, count, status.bytes(), rows * Short.BYTES);
      if (schema.withStray()) {
        appendStrays(events.stray, from, end);
      }
      values.append(events, from, end);
      rows += count;
    }
    return count;
  }

  private void appendStrays(byte[] strays, int from, int to) {
    ByteBuffer bits = stray.bytes();
    for (int i = from; i < to; i++) {
      if (strays[i] != 0) {
        Bitmaps.set(bits, rows + i - from);
      }
    }
  }

  /**
   * Returns the row after the last whose values stay within the limit. It is after {@code from} if
   * the batch is empty.
   */
  private int fitting(EventColumns events, int from, int to) {
    long room = maxValueBytes - valueBytes;
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (bytes(events, from, middle) <= room) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    if (low == from && rows == 0 && from < to) {
      low = from + 1;
    }
    valueBytes += bytes(events, from, low);
    return low;
  }

  private static long bytes(EventColumns events, int from, int to) {
    int firstElement = events.waveform() ? events.listStarts[from] : from;
    int endElement = events.waveform() ? events.listStarts[to] : to;
    return events.type() == ValueType.STRING
        ? events.textStarts[endElement] - events.textStarts[firstElement]
        : (long) (endElement - firstElement) * Double.BYTES;
  }

  /**
   * Returns the rows since begin.
   *
   * @return a batch that shares this one's buffers; the caller closes it
   */
  public ArrowRecordBatch finish() {
    List<ArrowFieldNode> nodes = new ArrayList<>();
    List<ArrowBuf> buffers = new ArrayList<>();
    add(time.filled((long) rows * Long.BYTES), nodes, buffers);
    add(channels.filled(), nodes, buffers);
    if (schema.withGroup()) {
      add(groups.filled(), nodes, buffers);
    }
    add(state.filled(rows), nodes, buffers);
    add(severity.filled(rows), nodes, buffers);
    add(status.filled((long) rows * Short.BYTES), nodes, buffers);
    if (schema.withStray()) {
      add(stray.filled(Bitmaps.bytesFor(rows)), nodes, buffers);
    }
    values.addTo(nodes, buffers);
    return new ArrowRecordBatch(rows, nodes, buffers);
  }

  private void add(ArrowBuf data, List<ArrowFieldNode> nodes, List<ArrowBuf> buffers) {
    nodes.add(new ArrowFieldNode(rows, 0));
    buffers.add(valid.filled(Bitmaps.bytesFor(rows)));
    buffers.add(data);
  }

  @Override
  public void close() {
    valid.close();
    time.close();
    channels.close();
    groups.close();
    state.close();
    severity.close();
    status.close();
    stray.close();
    values.close();
  }
}
