package org.kblake.record.source;

import java.util.List;
import java.util.OptionalInt;

/**
 * What a server says of a channel besides its values.
 *
 * @param units the unit of the values, or an empty text
 * @param precision the number of digits after the decimal point with which values are shown
 * @param limits empty, or eight limits in the unit: of a display the upper and the lower, the upper
 *     alarm, the upper warning, the lower warning, the lower alarm, of control the upper and the
 *     lower
 * @param labels the texts of an enum's states, from state 0 on
 */
public record ControlData(
    String units, OptionalInt precision, List<Double> limits, List<String> labels) {

  /** The number of limits. */
  public static final int LIMITS = 8;

  /** Nothing is known. */
  public static final ControlData NONE =
      new ControlData("", OptionalInt.empty(), List.of(), List.of());

  public ControlData {
    limits = List.copyOf(limits);
    labels = List.copyOf(labels);
  }
}
