package org.kblake.record.source;

import java.util.List;
import java.util.OptionalInt;

/**
 * What a server says of a channel besides its values.
 *
 * @param units the unit of the values, or an empty text
 * @param precision the number of digits after the decimal point with which values are shown
 * @param limits empty, or a limit in the unit for each {@link Limit}
 * @param labels the texts of an enum's states, from state 0 on
 */
public record ControlData(
    String units, OptionalInt precision, List<Double> limits, List<String> labels) {

  /** What limits there are, in their order. */
  public enum Limit {
    DISPLAY_HIGH,
    DISPLAY_LOW,
    HIHI,
    HIGH,
    LOW,
    LOLO,
    CONTROL_HIGH,
    CONTROL_LOW
  }

  /** The number of limits. */
  public static final int LIMITS = Limit.values().length;

  /** Nothing is known. */
  public static final ControlData NONE =
      new ControlData("", OptionalInt.empty(), List.of(), List.of());

  public ControlData {
    limits = List.copyOf(limits);
    labels = List.copyOf(labels);
  }

  /** Returns a limit; NaN if it is not known. */
  public double limit(Limit which) {
    return limits.isEmpty() ? Double.NaN : limits.get(which.ordinal());
  }
}
