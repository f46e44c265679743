package org.kblake.core.layout;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EventState;

/**
 * Describes what is wrong with a record's event. Called for damaged events only, so its speed does
 * not matter.
 */
public final class EventCheck {

  private static final int MOST_SEVERE = 3;

  private final LogLayout layout;
  private final EventRules rules;

  public EventCheck(LogLayout layout, EventRules rules) {
    this.layout = layout;
    this.rules = rules;
  }

  /**
   * The reason why a header cannot be in an undamaged segment, or null: its id is unknown, or its
   * length impossible for the record.
   *
   * @param at an event whose header is in reach
   */
  public @Nullable String headerFault(ByteBuffer log, int at) {
    int id = layout.id(log, at);
    int length = layout.length(log, at);
    if (id == LogLayout.MILESTONE_ID) {
      return rules.isMilestoneLength(length)
          ? null
          : "length=" + Integer.toUnsignedString(length) + " of a milestone, expected another one";
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
   * The reason why an event cannot be returned, or null.
   *
   * @param at an event whose header and state are in reach; not a milestone
   */
  public @Nullable String fault(ByteBuffer log, int at) {
    String header = headerFault(log, at);
    if (header != null) {
      return header;
    }
    int state = layout.state(log, at);
    if (state > EventState.VALUE_CODE) {
      return "state=" + state + ", expected 0 to 2";
    }
    int ordinal = rules.records().ordinalOfId(layout.id(log, at));
    if (!rules.isLength(ordinal, state, layout.length(log, at))) {
      return lengthFault(ordinal, layout.length(log, at)) + " for state " + state;
    }
    if (layout.severity(log, at) > MOST_SEVERE) {
      return "severity=" + layout.severity(log, at) + ", expected 0 to 3";
    }
    if (layout.nanos(log, at) == LogLayout.IMPOSSIBLE_NANOS) {
      return "an impossible time, expected less than 10^9 nanoseconds in a second";
    }
    return null;
  }

  private String lengthFault(int ordinal, int length) {
    RecordEntry entry = rules.records().entry(ordinal);
    return "length="
        + Integer.toUnsignedString(length)
        + " of "
        + entry.name()
        + ", expected "
        + layout.recordHeaderBytes()
        + " or with it 1 to "
        + entry.elementCount()
        + " elements of "
        + entry.type().bytes()
        + " bytes";
  }
}
