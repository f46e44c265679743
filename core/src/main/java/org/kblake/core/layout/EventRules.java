package org.kblake.core.layout;

import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/** The lengths of events that the record table of a pair allows. */
public final class EventRules {

  static final int MAX_SEVERITY = 3;

  private final RecordTable records;
  private final int headBytes;
  private final int[] maxLength;
  private final byte[] elementBytes;
  private final ValueType[] types;
  private final long minMilestoneBytes;
  private final long maxMilestoneBytes;

  /**
   * @param records the record table of the pair
   */
  public EventRules(LogLayout layout, RecordTable records) {
    this.records = records;
    headBytes = layout.recordHeaderBytes();
    maxLength = new int[records.size()];
    elementBytes = new byte[records.size()];
    types = new ValueType[records.size()];
    long most = 0;
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      RecordEntry entry = records.entry(ordinal);
      most += entry.maxValueBytes();
      maxLength[ordinal] = (int) Math.min(Integer.MAX_VALUE, headBytes + entry.maxValueBytes());
      elementBytes[ordinal] = (byte) entry.type().bytes();
      types[ordinal] = entry.type();
    }
    minMilestoneBytes =
        layout.eventHeaderBytes() + (long) records.size() * layout.stateEntryBytes();
    maxMilestoneBytes = minMilestoneBytes + most;
  }

  /** Returns the record table of the pair. */
  public RecordTable records() {
    return records;
  }

  /**
   * Returns the length of an event with the most elements. It fits an int, because longer events
   * cannot be read.
   */
  public int maxLength(int ordinal) {
    return maxLength[ordinal];
  }

  /** Returns the type of a record's elements. */
  public ValueType type(int ordinal) {
    return types[ordinal];
  }

  /** Returns the size of a record's element in a log, in bytes. */
  public int elementBytes(int ordinal) {
    return elementBytes[ordinal];
  }

  /** Returns whether a milestone can have this length. */
  public boolean isMilestoneLength(long length) {
    return length >= minMilestoneBytes && length <= maxMilestoneBytes;
  }

  /** Returns whether a record's event can have this length in any state. */
  boolean isRecordLength(int ordinal, int length) {
    return length == headBytes || isValueLength(ordinal, length);
  }

  /**
   * Returns whether an event of this state can have this length; states above 2 allow any length of
   * the record's events.
   */
  boolean isLength(int ordinal, int state, int length) {
    if (state == EventState.VALUE_CODE) {
      return isValueLength(ordinal, length);
    }
    return state > EventState.VALUE_CODE ? isRecordLength(ordinal, length) : length == headBytes;
  }

  /** Returns whether an event is undamaged, apart from its time. */
  public boolean isServed(int ordinal, int state, int severity, int length) {
    return state <= EventState.VALUE_CODE
        && severity <= MAX_SEVERITY
        && isLength(ordinal, state, length);
  }

  private boolean isValueLength(int ordinal, int length) {
    int value = length - headBytes;
    return length > headBytes
        && length <= maxLength[ordinal]
        && (elementBytes[ordinal] == ValueType.STRING.bytes()
            ? value % ValueType.STRING.bytes() == 0
            : (value & (elementBytes[ordinal] - 1)) == 0);
  }

  /**
   * Returns whether a milestone's entry can have a value of {@code bytes} bytes; 0 if the record
   * has no value yet.
   */
  public boolean isStateValueBytes(int ordinal, int bytes) {
    return bytes == 0
        || bytes > 0
            && bytes <= records.entry(ordinal).maxValueBytes()
            && bytes % elementBytes[ordinal] == 0;
  }
}
