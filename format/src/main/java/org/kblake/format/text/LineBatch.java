package org.kblake.format.text;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.query.arrow.ValueShape;

/**
 * A batch of rows of an answer, and their text. The rows are copied, so that they can be formatted
 * while the answer continues. A batch is used by one thread at a time, and is reused.
 */
final class LineBatch {

  private static final int MAX_ROWS = 8192;

  /** The limit of elements of waveforms. A row with more elements has its own batch. */
  private static final int MAX_ELEMENTS = 1 << 16;

  private final EventText text;
  private final TextBuffer lines = TextBuffer.inMemory();
  private final Map<ValueShape, EventColumns> columns = new TreeMap<>();
  private final List<Rows> copied = new ArrayList<>();
  private int rows;
  private int elements;

  /** Consecutive rows of one channel. */
  private record Rows(Channel channel, EventColumns columns, int from, int to) {}

  LineBatch(LineForm form) {
    text = new EventText(form);
  }

  /**
   * Copies rows of one channel until the batch is full.
   *
   * @param from the first row
   * @param to the row after the last
   * @return the row after the last copied one; at least one row is copied, unless the batch is full
   */
  int add(Channel channel, EventColumns events, int from, int to) {
    EventColumns copies =
        columns.computeIfAbsent(
            new ValueShape(events.type(), events.waveform()),
            shape -> new EventColumns(shape.type(), shape.waveform(), 0));
    int end = endOfRoom(events, from, to);
    int first = copies.count;
    copies.append(events, from, end);
    copied.add(new Rows(channel, copies, first, copies.count));
    return end;
  }

  private int endOfRoom(EventColumns events, int from, int to) {
    int end = Math.min(to, from + MAX_ROWS - rows);
    if (events.waveform()) {
      int room = events.listStarts[from] + MAX_ELEMENTS - elements;
      int last = from;
      while (last < end && events.listStarts[last] < room) {
        last++;
      }
      end = last;
      elements += events.listStarts[end] - events.listStarts[from];
    }
    rows += end - from;
    return end;
  }

  boolean isFull() {
    return rows == MAX_ROWS || elements >= MAX_ELEMENTS;
  }

  /** Returns whether the batch has a row with more elements than the limit. */
  boolean isLarge() {
    return elements > MAX_ELEMENTS;
  }

  /** Formats the lines, without a header. */
  LineBatch format() throws IOException {
    for (Rows rows : copied) {
      text.write(rows.channel, rows.columns, rows.from, rows.to, lines, Integer.MAX_VALUE);
    }
    return this;
  }

  /** Writes the lines in one write, and empties the batch. */
  void drain(OutputStream out) throws IOException {
    out.write(lines.bytes, 0, lines.position);
    lines.position = 0;
    copied.clear();
    columns.values().forEach(each -> each.count = 0);
    rows = 0;
    elements = 0;
  }
}
