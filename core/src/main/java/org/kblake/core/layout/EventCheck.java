package org.kblake.core.layout;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EventState;

/**
 * Describes the fault of a record's event. Called for damaged events only, so its speed does not
 * matter.
 */
public final class EventCheck {

  private final LogLayout layout;
  private final EventRules rules;

  /**
   * @param layout the layout of the log
   * @param rules the lengths that the record table allows
   */
  public EventCheck(LogLayout layout, EventRules rules) {
    this.layout = layout;
    this.rules = rules;
  }

  /**
   * Returns the reason why a header cannot be in an undamaged segment, or null. Its id is unknown,
   * or its length is impossible for the record.
   *
   * @param at the position of an event whose header is in the buffer
   */
  public @Nullable String headerFault(ByteBuffer log, int at) {
    int id = layout.id(log, at);
    int length = layout.length(log, at);
    if (id == LogLayout.MILESTONE_ID) {
      return rules.isMilestoneLength(length)
          ? null
          : "length=" + Integer.toUnsignedString(length) + " of a milestone, expected another";
    }
    int ordinal = rules.records().ordinalOfId(id);
    if (ordinal < 0) {
      return "id=" + id + ", expected one of the index";
    }
    if (!rules.isRecordLength(ordinal, length)) {
      return lengthFault(ordinal, length);
    }
    return null;
  }

  /**
   * Returns the reason why an event cannot be served, or null.
   *
   * @param at the position of an event whose header and state are in the buffer; not a milestone
   */
  public @Nullable String fault(ByteBuffer log, int at) {
    String header = headerFault(log, at);
    if (header != null) {
      return header;
    }
    int state = layout.state(log, at);
    String fault = stateFault(state);
    if (fault != null) {
      return fault;
    }
    int ordinal = rules.records().ordinalOfId(layout.id(log, at));
    if (!rules.isLength(ordinal, state, layout.length(log, at))) {
      return lengthFault(ordinal, layout.length(log, at)) + " for state " + state;
    }
    fault = severityFault(layout.severity(log, at));
    return fault == null ? timeFault(layout.nanos(log, at)) : fault;
  }

  /** Returns the fault of a state, or null. */
  public static @Nullable String stateFault(int state) {
    return state > EventState.VALUE_CODE ? "state=" + state + ", expected 0 to 2" : null;
  }

  /** Returns the fault of a severity, or null. */
  public static @Nullable String severityFault(int severity) {
    return severity > EventRules.MAX_SEVERITY ? "severity=" + severity + ", expected 0 to 3" : null;
  }

  /** Returns the fault of a time if it is {@link LogLayout#IMPOSSIBLE_NANOS}, otherwise null. */
  public static @Nullable String timeFault(long nanos) {
    return nanos == LogLayout.IMPOSSIBLE_NANOS
        ? "an impossible time, expected less than 10^9 nanoseconds in a second"
        : null;
  }

  private String lengthFault(int ordinal, int length) {
    RecordEntry entry = rules.records().entry(ordinal);
    return "length="
        + Integer.toUnsignedString(length)
        + " of "
        + entry.name()
        + ", expected "
        + layout.recordHeaderBytes()
        + ", or this and 1 to "
        + entry.elementCount()
        + " elements of "
        + entry.type().bytes()
        + " bytes";
  }
}
