package org.kblake.core.internal.parquet.write;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;

/** Rows of a row group, copied from batches into one. */
public final class HeldRows {

  private HeldRows() {}

  /** Appends rows of a batch of the same type. */
  public static void append(EventColumns held, EventColumns rows, int from, int to) {
    int count = to - from;
    int at = held.count;
    held.ensureRows(at + count);
    System.arraycopy(rows.timeNanos, from, held.timeNanos, at, count);
    System.arraycopy(rows.state, from, held.state, at, count);
    System.arraycopy(rows.severity, from, held.severity, at, count);
    System.arraycopy(rows.status, from, held.status, at, count);
    System.arraycopy(rows.stray, from, held.stray, at, count);
    System.arraycopy(rows.segment, from, held.segment, at, count);
    System.arraycopy(rows.latenessNanos, from, held.latenessNanos, at, count);
    System.arraycopy(rows.tie, from, held.tie, at, count);
    int element = held.elements();
    int fromElement = from;
    int toElement = to;
    if (held.waveform()) {
      fromElement = rows.listStarts[from];
      toElement = rows.listStarts[to];
      for (int i = 1; i <= count; i++) {
        held.listStarts[at + i] = rows.listStarts[from + i] - fromElement + element;
      }
    }
    int elements = toElement - fromElement;
    held.ensureElements(Math.addExact(element, elements));
    if (held.type() == ValueType.STRING) {
      appendText(held, element, rows, fromElement, elements);
    } else {
      System.arraycopy(rows.values, fromElement, held.values, element, elements);
    }
    held.count = at + count;
  }

  private static void appendText(
      EventColumns held, int element, EventColumns rows, int fromElement, int elements) {
    int bytes = rows.textStarts[fromElement + elements] - rows.textStarts[fromElement];
    int at = held.textStarts[element];
    held.ensureText(Math.addExact(at, bytes));
    System.arraycopy(rows.text, rows.textStarts[fromElement], held.text, at, bytes);
    for (int i = 1; i <= elements; i++) {
      held.textStarts[element + i] =
          rows.textStarts[fromElement + i] - rows.textStarts[fromElement] + at;
    }
  }
}
