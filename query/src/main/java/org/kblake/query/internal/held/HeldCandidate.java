package org.kblake.query.internal.held;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * An event that a milestone repeats. It has to be found in the log. A stray may have the time of
 * another event, so all its fields in the milestone are compared.
 *
 * @param nanos the time of the event
 * @param state the connection state of the event
 * @param value a row with the event, if it is a value event; null if only the state is known
 */
record HeldCandidate(long nanos, EventState state, @Nullable EventColumns value) {

  /** Returns the last row of its channel that may be the event; -1 if there is none. */
  int lastAmong(EventColumns columns, int from, int to) {
    int row = to - 1;
    while (row >= from && (columns.timeNanos[row] != nanos || !is(columns, row))) {
      row--;
    }
    return row < from ? -1 : row;
  }

  private boolean is(EventColumns columns, int row) {
    EventColumns expected = value;
    if (expected == null) {
      return (columns.state[row] == EventState.DISCONNECTED.code())
          == (state == EventState.DISCONNECTED);
    }
    return columns.state[row] == EventState.VALUE_CODE
        && columns.type() == expected.type()
        && columns.waveform() == expected.waveform()
        && columns.severity[row] == expected.severity[0]
        && columns.status[row] == expected.status[0]
        && hasSameElements(columns, row, expected);
  }

  private static boolean hasSameElements(EventColumns columns, int row, EventColumns expected) {
    int from = columns.waveform() ? columns.listStarts[row] : row;
    int to = columns.waveform() ? columns.listStarts[row + 1] : row + 1;
    int elements = expected.elements();
    if (to - from != elements) {
      return false;
    }
    if (columns.type() != ValueType.STRING) {
      return Arrays.equals(columns.values, from, to, expected.values, 0, elements);
    }
    for (int i = 0; i < elements; i++) {
      if (!Arrays.equals(
          columns.text,
          columns.textStarts[from + i],
          columns.textStarts[from + i + 1],
          expected.text,
          expected.textStarts[i],
          expected.textStarts[i + 1])) {
        return false;
      }
    }
    return true;
  }
}
