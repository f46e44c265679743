package org.kblake.query.internal.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.model.ValueType;
import org.kblake.query.arrow.ValueShape;

/**
 * The segments and rows of a range of a log, kept in memory in log order. Memory is taken in small
 * steps, for rows that were read. For one thread at a time.
 *
 * <pre>
 *   item      segment  rows   rows   ..  segment  rows  ..
 *   from, to           rows of a chunk
 * </pre>
 */
final class AheadRows {

  private static final int CHUNK_ROWS = 1024;

  /** Bytes of a row in columns of scalars. */
  private static final int ROW_BYTES = 37;

  /** Bytes of an item: a reference and three numbers, in arrays with room for half as many more. */
  private static final int ITEM_BYTES = 30;

  /** Bytes of an element of a list or of a text, in arrays with room for half as many more. */
  private static final int ELEMENT_BYTES = 12;

  private static final long STEP_BYTES = 1 << 18;

  private final ScanThreads threads;
  private final Map<ValueShape, Deque<EventColumns>> idle = new TreeMap<>();
  private final List<EventColumns> chunks = new ArrayList<>();

  private Object[] items = new Object[256];
  private int[] from = new int[256];
  private int[] to = new int[256];
  private int[] channel = new int[256];
  private int count;

  private long reservedBytes;
  private long chunkBytes;
  private long elementBytes;
  private boolean full;

  AheadRows(ScanThreads threads) {
    this.threads = threads;
  }

  /** Returns whether there is memory for more rows. */
  boolean hasRoom() {
    return !full;
  }

  /** Returns columns without rows. This object keeps them. */
  EventColumns chunk(ValueType type, boolean waveform) {
    Deque<EventColumns> unused = idle.get(new ValueShape(type, waveform));
    EventColumns chunk = unused == null ? null : unused.poll();
    if (chunk == null) {
      chunk = new EventColumns(type, waveform, CHUNK_ROWS);
      chunkBytes += (long) CHUNK_ROWS * ROW_BYTES;
      reserve();
    }
    chunks.add(chunk);
    return chunk;
  }

  void add(Segment segment) {
    add(segment, 0, 0, 0);
  }

  /** Adds adjacent rows of a chunk. */
  void add(EventRows rows) {
    EventColumns columns = rows.columns();
    add(columns, rows.from(), rows.to(), rows.channel());
    if (columns.waveform()) {
      elementBytes +=
          (long) ELEMENT_BYTES * (columns.listStarts[rows.to()] - columns.listStarts[rows.from()]);
    }
    if (columns.type() == ValueType.STRING) {
      elementBytes += (long) ELEMENT_BYTES * textBytes(columns, rows.from(), rows.to());
    }
    reserve();
  }

  private static int textBytes(EventColumns columns, int from, int to) {
    int first = columns.waveform() ? columns.listStarts[from] : from;
    int end = columns.waveform() ? columns.listStarts[to] : to;
    return columns.textStarts[end] - columns.textStarts[first];
  }

  private void add(Object item, int first, int end, int ofChannel) {
    if (count == items.length) {
      int size = count + (count >> 1);
      items = Arrays.copyOf(items, size);
      from = Arrays.copyOf(from, size);
      to = Arrays.copyOf(to, size);
      channel = Arrays.copyOf(channel, size);
    }
    items[count] = item;
    from[count] = first;
    to[count] = end;
    channel[count] = ofChannel;
    count++;
  }

  private void reserve() {
    long missing = chunkBytes + elementBytes + (long) ITEM_BYTES * items.length - reservedBytes;
    if (missing > 0) {
      long step = Math.max(missing, STEP_BYTES);
      if (threads.reserve(step)) {
        reservedBytes += step;
      } else {
        full = true;
      }
    }
  }

  /** Returns the number of items. */
  int count() {
    return count;
  }

  /** Returns a {@link Segment}, or the columns of rows. */
  Object item(int i) {
    return items[i];
  }

  /** Returns an item's first row. */
  int from(int i) {
    return from[i];
  }

  /** Returns the row after an item's last. */
  int to(int i) {
    return to[i];
  }

  /** Returns an item's channel. */
  int channel(int i) {
    return channel[i];
  }

  /** Removes all rows, and keeps memory for those of the next range. */
  void clear() {
    for (EventColumns chunk : chunks) {
      if (chunk.waveform() || chunk.type() == ValueType.STRING) {
        chunkBytes -= (long) CHUNK_ROWS * ROW_BYTES;
      } else {
        chunk.count = 0;
        idle.computeIfAbsent(
                new ValueShape(chunk.type(), chunk.waveform()), shape -> new ArrayDeque<>())
            .push(chunk);
      }
    }
    chunks.clear();
    Arrays.fill(items, 0, count, "");
    count = 0;
    elementBytes = 0;
    full = false;
  }

  /** Releases all memory. */
  void release() {
    clear();
    idle.clear();
    threads.giveBack(reservedBytes);
    reservedBytes = 0;
    chunkBytes = 0;
  }
}
