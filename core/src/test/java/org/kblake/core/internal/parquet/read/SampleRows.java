package org.kblake.core.internal.parquet.read;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/** Random rows of every type, from common to extreme. */
final class SampleRows {

  /** The values of the rows. */
  enum Shape {
    CONSTANT,
    FEW,
    COUNTER,
    RANDOM,
    HOSTILE,
    MIXED
  }

  /** The other columns of the rows. */
  enum Order {
    /** Rows in order of time, all with values, with runs of alarms. */
    TAME,
    /** Every column random over its whole range, with times at both ends of a long. */
    WILD
  }

  private static final double[] HOSTILE_DOUBLES = {
    0.0,
    -0.0,
    Double.NaN,
    Double.longBitsToDouble(0x7FF8_0000_0000_0001L),
    Double.longBitsToDouble(0xFFF0_0000_DEAD_BEEFL),
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MAX_VALUE
  };

  private SampleRows() {}

  static EventColumns of(
      ValueType type, boolean waveform, int rows, Shape shape, Order order, long seed) {
    Random random = new Random(seed);
    EventColumns columns = new EventColumns(type, waveform, Math.max(1, rows));
    long time = 1_795_172_622_612_862_418L;
    int element = 0;
    for (int row = 0; row < rows; row++) {
      // 128 intervals of one scan period are followed by 128 of several.
      long periods = (row >> 7 & 1) == 0 ? 1 : 2 + random.nextInt(6);
      time += periods * 1_000_000_000L + random.nextInt(1_000_000);
      tame(columns, row, time);
      if (order == Order.WILD) {
        wild(columns, row, random);
      }
      boolean value = columns.state[row] == EventState.VALUE_CODE;
      if (waveform) {
        columns.listStarts[row] = element;
        int elements = value ? 1 + random.nextInt(12) : 0;
        columns.ensureElements(element + elements + 1);
        for (int i = 0; i < elements; i++) {
          put(columns, element++, shape, random, true);
        }
      } else {
        put(columns, row, shape, random, value);
      }
    }
    if (waveform) {
      columns.listStarts[rows] = element;
    }
    columns.count = rows;
    return columns;
  }

  private static void tame(EventColumns columns, int row, long time) {
    columns.timeNanos[row] = time;
    columns.state[row] = (byte) EventState.VALUE_CODE;
    columns.segment[row] = row / 600;
  }

  private static void wild(EventColumns columns, int row, Random random) {
    columns.timeNanos[row] = random.nextInt(50) == 0 ? random.nextLong() : columns.timeNanos[row];
    columns.state[row] = (byte) random.nextInt(3);
    columns.severity[row] = (byte) random.nextInt(4);
    columns.status[row] = (short) random.nextInt();
    columns.stray[row] = (byte) (random.nextInt(10) == 0 ? 1 : 0);
    columns.segment[row] = random.nextInt() & Integer.MAX_VALUE;
    columns.latenessNanos[row] = random.nextBoolean() ? 0 : random.nextLong() >>> 1;
    columns.tie[row] = random.nextInt(3) == 0 ? random.nextInt() : 0;
  }

  private static void put(
      EventColumns columns, int element, Shape shape, Random random, boolean value) {
    Shape now = shape == Shape.MIXED ? Shape.values()[random.nextInt(5)] : shape;
    if (columns.type() == ValueType.STRING) {
      String text = value ? text(now, element, random) : "";
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      int start = element == 0 ? 0 : columns.textStarts[element];
      columns.ensureText(start + bytes.length);
      System.arraycopy(bytes, 0, columns.text, start, bytes.length);
      columns.textStarts[element + 1] = start + bytes.length;
    } else {
      columns.values[element] = value ? number(columns.type(), now, element, random) : 0;
    }
  }

  private static String text(Shape shape, int element, Random random) {
    return switch (shape) {
      case CONSTANT -> "IDLE";
      case FEW -> new String[] {"", "OPEN", "CLOSED"}[random.nextInt(3)];
      case COUNTER -> "shot " + element;
      case RANDOM -> Long.toString(random.nextLong(), 36);
      case HOSTILE -> "\u00e9\ud83d\ude00\u0000\"".substring(0, 1 + random.nextInt(4) / 3 * 4);
      case MIXED -> throw new IllegalArgumentException();
    };
  }

  private static long number(ValueType type, Shape shape, int element, Random random) {
    double real =
        switch (shape) {
          case CONSTANT -> 12.75;
          case FEW -> random.nextInt(7) * 0.1;
          case COUNTER -> 4_556_197.0 + element * 20L;
          case RANDOM, MIXED -> random.nextDouble() * 1e6;
          case HOSTILE -> HOSTILE_DOUBLES[random.nextInt(HOSTILE_DOUBLES.length)];
        };
    long integer =
        switch (shape) {
          case CONSTANT -> 77;
          case FEW -> random.nextInt(5);
          case COUNTER -> element * 3L;
          case RANDOM, MIXED -> random.nextLong();
          case HOSTILE -> random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        };
    return switch (type) {
      case STRING -> throw new IllegalArgumentException();
      case SHORT -> (short) integer;
      case ENUM -> integer & 0xFFFF;
      case CHAR -> integer & 0xFF;
      case LONG -> (int) integer;
      case FLOAT ->
          shape == Shape.HOSTILE && random.nextBoolean()
              ? 0x7F80_0000 | random.nextInt(1 << 22)
              : Float.floatToRawIntBits((float) real);
      case DOUBLE ->
          shape == Shape.HOSTILE && random.nextBoolean()
              ? random.nextLong()
              : Double.doubleToRawLongBits(real);
    };
  }
}
