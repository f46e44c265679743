package org.kblake.record.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;

/** The states that a new pair takes from the pair before it, by names. */
final class CarriedStates {

  private CarriedStates() {}

  /** Copies states of records with the same name; values only if the type is the same too. */
  static void copy(LogLayout layout, RecordStates from, RecordStates to, ByteOrder order) {
    RecordTable records = to.records();
    ByteBuffer entry = ByteBuffer.allocate(0);
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      int before = from.records().ordinalOfName(records.entry(ordinal).name());
      if (before < 0 || from.eventNanos(before) == LogLayout.NEVER_NANOS) {
        continue;
      }
      if (from.hasValue(before)
          && isSameType(records.entry(ordinal), from.records().entry(before))) {
        if (entry.capacity() < from.entryBytes(before)) {
          entry = ByteBuffer.allocate(from.entryBytes(before)).order(order);
        }
        int bytes = from.putEntry(before, entry, 0);
        int valueAt = layout.stateEntryBytes();
        to.apply(
            ordinal,
            from.valueNanos(before),
            EventState.VALUE_CODE,
            from.severity(before),
            from.status(before),
            entry,
            valueAt,
            bytes - valueAt);
      }
      int state = from.state(before);
      if (state != EventState.VALUE_CODE || !to.hasValue(ordinal)) {
        boolean isDown = state == EventState.DISCONNECTED.code();
        EventState known = isDown ? EventState.DISCONNECTED : EventState.CONNECTED;
        to.applyConnection(ordinal, from.eventNanos(before), known.code());
      }
    }
  }

  private static boolean isSameType(RecordEntry one, RecordEntry other) {
    return one.type() == other.type() && one.elementCount() == other.elementCount();
  }
}
