package org.kblake.query.internal.held;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/** Makes rows of the value events in a milestone. */
final class MilestoneRow {

  private static final int MAX_TEXT_BYTES = 3 * 40;

  private MilestoneRow() {}

  /**
   * @param ordinal the ordinal of a record that has a value
   */
  static EventColumns of(RecordStates states, int ordinal) {
    RecordEntry entry = states.records().entry(ordinal);
    EventColumns row = new EventColumns(entry.type(), entry.waveform(), 1);
    row.timeNanos[0] = states.valueNanos(ordinal);
    row.state[0] = EventState.VALUE_CODE;
    row.severity[0] = (byte) states.severity(ordinal);
    row.status[0] = (short) states.status(ordinal);
    int elements = states.elements(ordinal);
    row.ensureElements(elements);
    for (int i = 0; i < elements; i++) {
      if (entry.type() == ValueType.STRING) {
        int at = row.textStarts[i];
        row.ensureText(at + MAX_TEXT_BYTES);
        row.textStarts[i + 1] = at + states.text(ordinal, i, row.text, at);
      } else {
        row.values[i] = states.valueBits(ordinal, i);
      }
    }
    if (entry.waveform()) {
      row.listStarts[1] = elements;
    }
    row.count = 1;
    return row;
  }
}
