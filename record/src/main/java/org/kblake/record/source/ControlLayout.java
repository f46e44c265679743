package org.kblake.record.source;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.kblake.core.model.ValueType;

/**
 * The bytes of {@code DBR_CTRL} types, in network byte order ({@code db_access.h} of EPICS base).
 * Limits have the type of the value, in the order of {@link ControlData#limits}.
 *
 * <pre>
 *   SHORT, CHAR, LONG: status (2) | severity (2) | units (8) | 8 limits | ...
 *   FLOAT, DOUBLE:     status (2) | severity (2) | precision (2) | padding (2) | units (8)
 *                      | 8 limits | ...
 *   ENUM:              status (2) | severity (2) | number of labels (2) | 16 labels (26 each) | ...
 *   STRING:            status (2) | severity (2) | ...
 * </pre>
 */
public final class ControlLayout {

  private static final int PRECISION = 4;
  private static final int UNITS_OF_INTEGERS = 4;
  private static final int UNITS_OF_REALS = 8;
  private static final int UNITS_BYTES = 8;
  private static final int LABELS_NUMBER = 4;
  private static final int LABELS = 6;
  private static final int LABELS_MOST = 16;
  private static final int LABEL_BYTES = 26;

  private ControlLayout() {}

  /** Returns the number of bytes before the value, all of which must be there. */
  public static int bytes(ValueType type) {
    return switch (type) {
      case STRING -> LABELS_NUMBER;
      case ENUM -> LABELS + LABELS_MOST * LABEL_BYTES;
      case SHORT, CHAR, LONG, FLOAT, DOUBLE -> limits(type) + ControlData.LIMITS * type.bytes();
    };
  }

  private static int units(ValueType type) {
    return type == ValueType.FLOAT || type == ValueType.DOUBLE ? UNITS_OF_REALS : UNITS_OF_INTEGERS;
  }

  private static int limits(ValueType type) {
    return units(type) + UNITS_BYTES;
  }

  /**
   * Reads units, precision, limits or labels.
   *
   * @param offset where the bytes begin; there are {@link #bytes} of them
   */
  public static ControlData read(ValueType type, ByteBuffer source, int offset) {
    return switch (type) {
      case STRING -> ControlData.NONE;
      case ENUM -> new ControlData("", OptionalInt.empty(), List.of(), labels(source, offset));
      case SHORT, CHAR, LONG ->
          new ControlData(
              text(source, offset + units(type), UNITS_BYTES),
              OptionalInt.empty(),
              limits(type, source, offset),
              List.of());
      case FLOAT, DOUBLE ->
          new ControlData(
              text(source, offset + units(type), UNITS_BYTES),
              OptionalInt.of(source.getShort(offset + PRECISION)),
              limits(type, source, offset),
              List.of());
    };
  }

  /** Returns the bytes of units, precision, limits or labels. Texts must fit. */
  public static byte[] write(ValueType type, ControlData control) {
    ByteBuffer bytes = ByteBuffer.allocate(bytes(type));
    switch (type) {
      case STRING -> {
        // A string has none.
      }
      case ENUM -> {
        bytes.putShort(LABELS_NUMBER, (short) control.labels().size());
        for (int i = 0; i < control.labels().size(); i++) {
          bytes.put(LABELS + i * LABEL_BYTES, encoded(control.labels().get(i)));
        }
      }
      case SHORT, CHAR, LONG, FLOAT, DOUBLE -> {
        if (units(type) == UNITS_OF_REALS) {
          bytes.putShort(PRECISION, (short) control.precision().orElse(0));
        }
        bytes.put(units(type), encoded(control.units())).position(limits(type));
        control.limits().forEach(limit -> putLimit(bytes, type, limit));
      }
    }
    return bytes.array();
  }

  private static byte[] encoded(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void putLimit(ByteBuffer bytes, ValueType type, double limit) {
    switch (type.bytes()) {
      case 1 -> bytes.put((byte) limit);
      case 2 -> bytes.putShort((short) limit);
      case 4 ->
          bytes.putInt(
              type == ValueType.FLOAT ? Float.floatToRawIntBits((float) limit) : (int) limit);
      default -> bytes.putDouble(limit);
    }
  }

  private static List<Double> limits(ValueType type, ByteBuffer source, int offset) {
    List<Double> limits = new ArrayList<>();
    for (int i = 0; i < ControlData.LIMITS; i++) {
      int at = offset + limits(type) + i * type.bytes();
      limits.add(
          switch (type.bytes()) {
            case 1 -> (double) (source.get(at) & 0xFF);
            case 2 -> (double) source.getShort(at);
            case 4 -> type == ValueType.FLOAT ? source.getFloat(at) : (double) source.getInt(at);
            default -> source.getDouble(at);
          });
    }
    return limits;
  }

  private static List<String> labels(ByteBuffer source, int offset) {
    int number = Math.min(source.getShort(offset + LABELS_NUMBER) & 0xFFFF, LABELS_MOST);
    List<String> labels = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      labels.add(text(source, offset + LABELS + i * LABEL_BYTES, LABEL_BYTES));
    }
    return labels;
  }

  private static String text(ByteBuffer source, int offset, int bytes) {
    return Bytes.text(source, offset, offset + bytes);
  }
}
