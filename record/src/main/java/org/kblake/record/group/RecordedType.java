package org.kblake.record.group;

import org.kblake.core.model.ValueType;

/**
 * The type of a record in an index.
 *
 * @param type the type of the elements
 * @param count the most elements of a value, at least 1
 */
public record RecordedType(ValueType type, int count) {

  /** The type of a record that was never connected. */
  static final RecordedType UNKNOWN = new RecordedType(ValueType.DOUBLE, 1);

  /** Returns the bytes of the longest value. */
  long bytes() {
    return (long) count * type.bytes();
  }
}
