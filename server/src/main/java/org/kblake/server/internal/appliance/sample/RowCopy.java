package org.kblake.server.internal.appliance.sample;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/** Copies of rows with a value, in columns of their own. */
public final class RowCopy {

  private RowCopy() {}

  /** Returns columns with a copy of one row. */
  public static EventColumns of(EventColumns from, int row) {
    EventColumns copy = new EventColumns(from.type(), from.waveform(), 1);
    append(from, row, copy);
    return copy;
  }

  /** Returns columns with one double. */
  public static EventColumns number() {
    EventColumns columns = new EventColumns(ValueType.DOUBLE, false, 1);
    columns.count = 1;
    columns.state[0] = EventState.VALUE_CODE;
    return columns;
  }

  /** Returns columns with one list of doubles. */
  public static EventColumns numbers(int elements) {
    EventColumns columns = new EventColumns(ValueType.DOUBLE, true, 1);
    columns.count = 1;
    columns.state[0] = EventState.VALUE_CODE;
    columns.ensureElements(elements);
    columns.listStarts[1] = elements;
    return columns;
  }

  /** Appends a row to columns of the same type. Segment, lateness and tie are not copied. */
  public static void append(EventColumns from, int row, EventColumns to) {
    int at = to.count;
    to.ensureRows(at + 1);
    to.timeNanos[at] = from.timeNanos[row];
    to.state[at] = from.state[row];
    to.severity[at] = from.severity[row];
    to.status[at] = from.status[row];
    int first = from.waveform() ? from.listStarts[row] : row;
    int elements = from.waveform() ? from.listStarts[row + 1] - first : 1;
    int element = at;
    if (from.waveform()) {
      element = to.listStarts[at];
      to.ensureElements(element + elements);
      to.listStarts[at + 1] = element + elements;
    }
    if (from.type() == ValueType.STRING) {
      to.ensureElements(element + elements);
      appendTexts(from, first, elements, to, element);
    } else {
      System.arraycopy(from.values, first, to.values, element, elements);
    }
    to.count = at + 1;
  }

  private static void appendTexts(
      EventColumns from, int first, int elements, EventColumns to, int element) {
    int start = from.textStarts[first];
    int bytes = from.textStarts[first + elements] - start;
    int target = to.textStarts[element];
    to.ensureText(target + bytes);
    System.arraycopy(from.text, start, to.text, target, bytes);
    for (int i = 1; i <= elements; i++) {
      to.textStarts[element + i] = target + from.textStarts[first + i] - start;
    }
  }

  /** Returns about how many bytes a copy of a row takes. */
  public static long bytes(EventColumns from, int row) {
    int first = from.waveform() ? from.listStarts[row] : row;
    int elements = from.waveform() ? from.listStarts[row + 1] - first : 1;
    long text =
        from.type() == ValueType.STRING
            ? from.textStarts[first + elements] - from.textStarts[first]
            : 0;
    return 300 + 8L * elements + text;
  }
}
