package org.kblake.query.arrow;

import org.kblake.core.model.ValueType;

/**
 * The shape of a channel's values in one record table.
 *
 * @param type the type of every element
 * @param waveform whether a value is a list of elements
 */
public record ValueShape(ValueType type, boolean waveform) implements Comparable<ValueShape> {

  @Override
  public int compareTo(ValueShape other) {
    int byForm = Boolean.compare(waveform, other.waveform);
    return byForm != 0 ? byForm : type.compareTo(other.type);
  }

  /** Returns the EPICS name of the type, such as {@code double}, of a waveform {@code double[]}. */
  public String text() {
    return waveform ? type.text() + "[]" : type.text();
  }
}
