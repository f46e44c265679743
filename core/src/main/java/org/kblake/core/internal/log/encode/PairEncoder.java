package org.kblake.core.internal.log.encode;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;

/**
 * The bytes of one pair's log, for the recorder, which writes its files itself. It keeps the states
 * after the events that it encoded, which milestones have. A method writes into a buffer in the
 * pair's byte order, at an absolute position, where the buffer must have room. Allocates nothing
 * for an event. For one thread.
 */
public final class PairEncoder {

  private final LogLayout layout;
  private final ByteOrder order;
  private final RecordStates states;

  /**
   * @param records the records of the pair; none of them has had an event yet
   */
  public PairEncoder(LogLayout layout, ByteOrder order, RecordTable records) {
    this.layout = layout;
    this.order = order;
    states = new RecordStates(layout, order, records);
  }

  public RecordTable records() {
    return states.records();
  }

  /**
   * Takes the states of the pair before this one, in the same layout and byte order: those of
   * records with the same name, with their values if type and element count are the same, too.
   */
  public void continueFrom(PairEncoder before) {
    RecordStates from = before.states;
    ByteBuffer entry = ByteBuffer.allocate(0);
    for (int ordinal = 0; ordinal < records().size(); ordinal++) {
      int other = from.records().ordinalOfName(records().entry(ordinal).name());
      if (other < 0 || from.eventNanos(other) == LogLayout.NEVER_NANOS) {
        continue;
      }
      if (from.hasValue(other)
          && isSameType(records().entry(ordinal), from.records().entry(other))) {
        int bytes = from.entryBytes(other);
        if (entry.capacity() < bytes) {
          entry = ByteBuffer.allocate(bytes).order(order);
        }
        from.putEntry(other, entry, 0);
        states.apply(
            ordinal,
            from.valueNanos(other),
            EventState.VALUE_CODE,
            from.severity(other),
            from.status(other),
            entry,
            layout.stateEntryBytes(),
            bytes - layout.stateEntryBytes());
      }
      int state = from.state(other);
      if (state != EventState.VALUE_CODE || !states.hasValue(ordinal)) {
        boolean isDown = state == EventState.DISCONNECTED.code();
        EventState known = isDown ? EventState.DISCONNECTED : EventState.CONNECTED;
        states.applyConnection(ordinal, from.eventNanos(other), known.code());
      }
    }
  }

  private static boolean isSameType(RecordEntry one, RecordEntry other) {
    return one.type() == other.type() && one.elementCount() == other.elementCount();
  }

  /**
   * Writes a record's event around its value, whose bytes are in the buffer already, at {@code at}
   * plus {@link LogLayout#recordHeaderBytes}.
   *
   * @param nanos nanoseconds since 1970 UTC
   * @param state the code of the state; only {@link EventState#VALUE_CODE} has a value
   * @param valueBytes the bytes of the value, 0 for none
   * @throws IllegalArgumentException if the layout cannot represent this time
   */
  public void event(
      ByteBuffer out,
      int at,
      int ordinal,
      long nanos,
      int state,
      int severity,
      int status,
      int valueBytes) {
    int fixed = layout.recordHeaderBytes();
    layout.putEventHeader(out, at, fixed + valueBytes, records().entry(ordinal).id(), nanos);
    layout.putState(out, at, state, severity, status);
    states.apply(ordinal, nanos, state, severity, status, out, at + fixed, valueBytes);
  }

  /** Returns the bytes that a milestone takes now. */
  public long milestoneBytes() {
    return states.milestoneBytes();
  }

  /**
   * Writes a milestone with the present states.
   *
   * @param nanos nanoseconds since 1970 UTC
   * @return {@link #milestoneBytes}
   * @throws IllegalArgumentException if the layout cannot represent this time
   */
  public int milestone(ByteBuffer out, int at, long nanos) {
    int bytes = Math.toIntExact(milestoneBytes());
    layout.putEventHeader(out, at, bytes, LogLayout.MILESTONE_ID, nanos);
    int entryAt = at + layout.eventHeaderBytes();
    for (int ordinal = 0; ordinal < records().size(); ordinal++) {
      entryAt += states.putEntry(ordinal, out, entryAt);
    }
    return bytes;
  }
}
