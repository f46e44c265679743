package org.kblake.record.pvaccess;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.epics.pva.data.PVAStringArray;
import org.epics.pva.data.PVAStructure;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.source.ControlLayout;
import org.kblake.record.source.Conversions;

/**
 * Units, precision, limits and labels of a structure, as bytes of {@link ControlLayout}, and its
 * description. Texts are cut at a whole character.
 */
final class Metadata {

  private static final int STATUS_BYTES = 4;
  private static final int UNITS_BYTES = 8;
  private static final int LABELS_MOST = 16;
  private static final int LABEL_BYTES = 26;

  /** Where the eight limits are, in the order of the layout. */
  private static final List<List<String>> LIMITS =
      List.of(
          List.of("display", "limitHigh"),
          List.of("display", "limitLow"),
          List.of("valueAlarm", "highAlarmLimit"),
          List.of("valueAlarm", "highWarningLimit"),
          List.of("valueAlarm", "lowWarningLimit"),
          List.of("valueAlarm", "lowAlarmLimit"),
          List.of("control", "limitHigh"),
          List.of("control", "limitLow"));

  private Metadata() {}

  /** Returns the bytes for values of a type. */
  static ByteBuffer control(PVAStructure structure, ValueType type) {
    ByteBuffer bytes = ByteBuffer.allocate(ControlLayout.bytes(type));
    bytes.position(STATUS_BYTES);
    PVAStructure display = Fields.structure(structure, "display");
    switch (type) {
      case STRING -> {
        // Nothing is known of it.
      }
      case ENUM -> putLabels(bytes, Fields.structure(structure, "value"));
      case FLOAT, DOUBLE -> {
        bytes.putShort((short) Fields.number(display, "precision", 0)).putShort((short) 0);
        putText(bytes, Fields.text(display, "units"), UNITS_BYTES);
        putLimits(bytes, structure, type);
      }
      case SHORT, CHAR, LONG -> {
        putText(bytes, Fields.text(display, "units"), UNITS_BYTES);
        putLimits(bytes, structure, type);
      }
    }
    return bytes.clear();
  }

  private static void putLabels(ByteBuffer bytes, @Nullable PVAStructure value) {
    String[] labels =
        Fields.field(value, "choices") instanceof PVAStringArray choices
            ? choices.get()
            : new String[0];
    int number = Math.min(labels.length, LABELS_MOST);
    bytes.putShort((short) number);
    for (int i = 0; i < number; i++) {
      putText(bytes, Fields.text(labels[i]), LABEL_BYTES);
    }
  }

  private static void putText(ByteBuffer bytes, String text, int length) {
    int end = bytes.position() + length;
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    bytes.put(encoded, 0, Conversions.wholeCharacters(encoded, length));
    bytes.position(end);
  }

  private static void putLimits(ByteBuffer bytes, PVAStructure structure, ValueType type) {
    for (List<String> each : LIMITS) {
      double limit =
          Fields.number(Fields.structure(structure, each.get(0)), each.get(1), Double.NaN);
      switch (type) {
        case CHAR -> bytes.put((byte) Math.max(0, Math.min(0xFF, (int) limit)));
        case SHORT ->
            bytes.putShort(
                (short) Math.max(Short.MIN_VALUE, Math.min(Short.MAX_VALUE, (int) limit)));
        case LONG -> bytes.putInt((int) limit);
        case FLOAT -> bytes.putFloat((float) limit);
        default -> bytes.putDouble(limit);
      }
    }
  }

  /** Returns the bytes of the description, perhaps none. */
  static ByteBuffer description(PVAStructure structure) {
    String shown = Fields.text(Fields.structure(structure, "display"), "description");
    String text = shown.isEmpty() ? Fields.text(structure, "descriptor") : shown;
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.wrap(
        encoded, 0, Conversions.wholeCharacters(encoded, ValueType.STRING.bytes()));
  }
}
