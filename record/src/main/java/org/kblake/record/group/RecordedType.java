package org.kblake.record.group;

import org.kblake.core.model.ValueType;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/**
 * The type of a record in an index.
 *
 * @param type the type of the elements
 * @param count the most elements of a value, at least 1
 */
public record RecordedType(ValueType type, int count) {

  /** The type of a record that was never connected. */
  static final RecordedType UNKNOWN = new RecordedType(ValueType.DOUBLE, 1);

  /** Returns whether a record of this type can have an event. */
  boolean canHave(ChannelEvent event) {
    return event.kind() != EventKind.VALUE || event.type() == type && event.count() <= count;
  }

  /** Returns whether this is the same type with more elements. */
  boolean isLargerThan(RecordedType other) {
    return type == other.type && count > other.count;
  }

  /** Returns the bytes of the longest value. */
  long bytes() {
    return (long) count * type.bytes();
  }
}
