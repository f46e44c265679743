package org.kblake.record.demo;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.kblake.core.model.ValueType;
import org.kblake.record.source.ControlData;
import org.kblake.record.source.ControlData.Limit;
import org.kblake.record.source.ControlLayout;
import org.kblake.record.source.TimedLayout;

/**
 * A record of the demonstration.
 *
 * @param name its name
 * @param type the type of its elements
 * @param count the number of its elements
 * @param control units, precision, limits and labels; the texts of a string
 * @param description words, at most 39 bytes
 */
record DemoRecord(String name, ValueType type, int count, ControlData control, String description) {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int NO_ALARM = 0;
  private static final int HIHI = 3;
  private static final int HIGH = 4;
  private static final int MINOR = 1;
  private static final int MAJOR = 2;

  /** Returns a record of doubles without alarm limits. */
  static DemoRecord numbers(String name, int count, String unit, int digits, String description) {
    return new DemoRecord(
        name,
        ValueType.DOUBLE,
        count,
        new ControlData(unit, OptionalInt.of(digits), List.of(), List.of()),
        description);
  }

  /** Returns the same record with a range of a display, and alarm limits. */
  DemoRecord within(double low, double high, double minor, double major) {
    double none = Double.NaN;
    List<Double> limits = List.of(high, low, major, minor, none, none, high, low);
    return new DemoRecord(
        name,
        type,
        count,
        new ControlData(control.units(), control.precision(), limits, List.of()),
        description);
  }

  /** Returns a record whose numbers count states or texts from 0 on. */
  static DemoRecord states(String name, ValueType type, String description, String... texts) {
    return new DemoRecord(
        name,
        type,
        1,
        new ControlData("", OptionalInt.empty(), List.of(), List.of(texts)),
        description);
  }

  /** Returns the bytes of a value with alarm and time stamp. */
  byte[] value(long nanos, double... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate((int) TimedLayout.bytes(type, count));
    boolean isMinor = numbers[0] >= control.limit(Limit.HIGH);
    boolean isMajor = numbers[0] >= control.limit(Limit.HIHI);
    bytes.putShort((short) (isMajor ? HIHI : isMinor ? HIGH : NO_ALARM));
    bytes.putShort((short) (isMajor ? MAJOR : isMinor ? MINOR : 0));
    bytes.putInt((int) (nanos / NANOS_PER_SECOND - TimedLayout.EPOCH_SECONDS));
    bytes.putInt((int) (nanos % NANOS_PER_SECOND));
    bytes.position(TimedLayout.elementsOffset(type));
    for (double each : numbers) {
      switch (type) {
        case DOUBLE -> bytes.putDouble(each);
        case FLOAT -> bytes.putFloat((float) each);
        case LONG -> bytes.putInt((int) each);
        case SHORT, ENUM -> bytes.putShort((short) each);
        case CHAR -> bytes.put((byte) each);
        case STRING -> bytes.put(text(control.labels().get((int) each)));
      }
    }
    return bytes.array();
  }

  /** Returns the bytes of units, limits or labels, with a value of zeros behind them. */
  byte[] controlBytes() {
    return Arrays.copyOf(
        ControlLayout.write(type, control), ControlLayout.bytes(type) + count * type.bytes());
  }

  /** Returns the bytes of the description. */
  byte[] descriptionBytes() {
    return text(description);
  }

  private static byte[] text(String text) {
    return Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), ValueType.STRING.bytes());
  }
}
