package org.kblake.core.internal.store.chunk;

import java.util.Arrays;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;

/**
 * Removes all rows of a batch except selected ones. Consecutive rows are moved together. Reusable.
 */
final class RowSelection {

  /** Adjacent rows as pairs: the first row, and the row behind the last. */
  private int[] bounds = new int[64];

  private int ends;

  void clear() {
    ends = 0;
  }

  /** Adds a row behind all previous ones. */
  void add(int row) {
    addRows(row, row + 1);
  }

  /** Adds the rows [from, to) behind all previous ones. */
  void addRows(int from, int to) {
    if (ends > 0 && bounds[ends - 1] == from) {
      bounds[ends - 1] = to;
      return;
    }
    if (ends + 2 > bounds.length) {
      bounds = Arrays.copyOf(bounds, bounds.length * 2);
    }
    bounds[ends++] = from;
    bounds[ends++] = to;
  }

  /** Removes all other rows from the batch. */
  void applyTo(EventColumns rows) {
    if (ends == 2 && bounds[0] == 0) {
      rows.count = bounds[1];
      return;
    }
    int to = 0;
    int element = 0;
    int textByte = 0;
    boolean text = rows.type() == ValueType.STRING;
    for (int at = 0; at < ends; at += 2) {
      int from = bounds[at];
      int length = bounds[at + 1] - from;
      int elementFrom = rows.waveform() ? rows.listStarts[from] : from;
      int elementEnd = rows.waveform() ? rows.listStarts[from + length] : from + length;
      int elements = elementEnd - elementFrom;
      if (text) {
        int textFrom = rows.textStarts[elementFrom];
        int textBytes = rows.textStarts[elementEnd] - textFrom;
        System.arraycopy(rows.text, textFrom, rows.text, textByte, textBytes);
        shift(rows.textStarts, elementFrom, element, elements, textByte - textFrom);
        textByte += textBytes;
        rows.textStarts[element + elements] = textByte;
      } else {
        System.arraycopy(rows.values, elementFrom, rows.values, element, elements);
      }
      if (rows.waveform()) {
        shift(rows.listStarts, from, to, length, element - elementFrom);
        rows.listStarts[to + length] = element + elements;
      }
      moveFixed(rows, from, to, length);
      element += elements;
      to += length;
    }
    if (ends == 0) {
      if (text) {
        rows.textStarts[0] = 0;
      }
      if (rows.waveform()) {
        rows.listStarts[0] = 0;
      }
    }
    rows.count = to;
  }

  /** Copies starts to the front, and adds the difference of the origins to each. */
  private static void shift(int[] starts, int from, int to, int length, int by) {
    for (int i = 0; i < length; i++) {
      starts[to + i] = starts[from + i] + by;
    }
  }

  private static void moveFixed(EventColumns rows, int from, int to, int length) {
    System.arraycopy(rows.timeNanos, from, rows.timeNanos, to, length);
    System.arraycopy(rows.state, from, rows.state, to, length);
    System.arraycopy(rows.severity, from, rows.severity, to, length);
    System.arraycopy(rows.status, from, rows.status, to, length);
    System.arraycopy(rows.stray, from, rows.stray, to, length);
    System.arraycopy(rows.segment, from, rows.segment, to, length);
    System.arraycopy(rows.latenessNanos, from, rows.latenessNanos, to, length);
    System.arraycopy(rows.tie, from, rows.tie, to, length);
  }
}
