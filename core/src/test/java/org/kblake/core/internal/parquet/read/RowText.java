package org.kblake.core.internal.parquet.read;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * Converts rows to lines of text that can be compared. Floating-point numbers are written as their
 * bits.
 */
final class RowText {

  private RowText() {}

  /** Returns all rows of a batch. */
  static List<String> of(String channel, EventColumns rows) {
    List<String> lines = new ArrayList<>();
    for (int row = 0; row < rows.count; row++) {
      lines.add(
          line(
              channel,
              rows.timeNanos[row],
              value(rows, row),
              rows.state[row],
              rows.severity[row],
              Short.toUnsignedInt(rows.status[row]),
              rows.stray[row] != 0,
              rows.segment[row],
              rows.latenessNanos[row],
              rows.tie[row]));
    }
    return lines;
  }

  static String line(
      String channel,
      long time,
      String value,
      int state,
      int severity,
      int status,
      boolean stray,
      int segment,
      long lateness,
      int tie) {
    return String.join(
        "|",
        channel,
        Long.toString(time),
        value,
        Integer.toString(state),
        Integer.toString(severity),
        Integer.toString(status),
        Boolean.toString(stray),
        Integer.toString(segment),
        Long.toString(lateness),
        Integer.toString(tie));
  }

  /** Returns a number in the form for comparison. */
  static String number(double value) {
    return Long.toHexString(Double.doubleToRawLongBits(value));
  }

  static String number(float value) {
    return Integer.toHexString(Float.floatToRawIntBits(value));
  }

  private static String value(EventColumns rows, int row) {
    if (rows.state[row] != EventState.VALUE_CODE) {
      return "null";
    }
    if (!rows.waveform()) {
      return element(rows, row);
    }
    List<String> elements = new ArrayList<>();
    for (int i = rows.listStarts[row]; i < rows.listStarts[row + 1]; i++) {
      elements.add(element(rows, i));
    }
    return elements.toString();
  }

  private static String element(EventColumns rows, int element) {
    if (rows.type() == ValueType.STRING) {
      int from = rows.textStarts[element];
      int length = rows.textStarts[element + 1] - from;
      return new String(rows.text, from, length, StandardCharsets.UTF_8);
    }
    long bits = rows.values[element];
    return switch (rows.type()) {
      case STRING -> throw new IllegalArgumentException();
      case DOUBLE -> number(Double.longBitsToDouble(bits));
      case FLOAT -> number(Float.intBitsToFloat((int) bits));
      case SHORT, ENUM, CHAR, LONG -> Long.toString(bits);
    };
  }
}
