package org.kblake.core.layout;

import org.kblake.core.model.ValueType;

/**
 * The entry of one record in an index.
 *
 * @param id the record's number in the pair's log, at least 0; valid in its pair only
 * @param name the record's name
 * @param type the type of its elements
 * @param elementCount the most elements a value has, at least 1
 */
public record RecordEntry(int id, String name, ValueType type, int elementCount) {

  /** Returns whether values are lists of elements. */
  public boolean waveform() {
    return elementCount > 1;
  }

  /** Returns the bytes of the longest value. */
  long maxValueBytes() {
    return (long) elementCount * type.bytes();
  }
}
