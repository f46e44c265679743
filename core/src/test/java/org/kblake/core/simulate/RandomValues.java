package org.kblake.core.simulate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.model.ValueType;

/** Values as a log has them: ordinary ones, and those that get lost on the way most easily. */
final class RandomValues {

  private static final int TEXT_BYTES = ValueType.STRING.bytes();

  private static final long[] DOUBLES = {
    0x0000000000000000L, // 0.0
    0x8000000000000000L, // -0.0
    0x7FF8000000000000L, // the usual NaN
    0x7FF8000000000123L, // a NaN with a payload
    0xFFF800000000BEEFL, // a negative one
    0x7FF0000000000001L, // a signalling one
    0x7FF0000000000000L, // infinity
    0xFFF0000000000000L, // -infinity
    0x0000000000000001L, // the smallest number
    0x7FEFFFFFFFFFFFFFL, // the largest number
    0x3FF0000000000000L // 1.0
  };

  private static final long[] FLOATS = {
    0x00000000L,
    0x80000000L,
    0x7FC00000L,
    0x7FC00123L,
    0xFFC0BEEFL,
    0x7F800001L,
    0x7F800000L,
    0xFF800000L,
    1L,
    0x7F7FFFFFL,
    0x3F800000L
  };

  private static final long[] INTEGERS = {
    0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x8080808080808080L
  };

  private static final List<String> TEXTS =
      List.of(
          "",
          "Beam",
          "Physics Run",
          "調整中",
          "quote \" comma , line\nend",
          "ends with a blank ",
          "exactly forty bytes of text, no NUL here");

  private RandomValues() {}

  /** A value of the record, in the given byte order. */
  static byte[] value(RecordEntry record, ByteOrder order, SplitMix random) {
    int elements = 1;
    if (record.waveform()) {
      elements =
          random.chance(0.6) ? record.elementCount() : random.between(1, record.elementCount());
    }
    ByteBuffer bytes = ByteBuffer.allocate(elements * record.type().bytes()).order(order);
    boolean constant = random.chance(0.3);
    long bits = bits(record.type(), random);
    for (int i = 0; i < elements; i++) {
      put(bytes, record.type(), bits, random);
      bits = constant ? bits : bits(record.type(), random);
    }
    return bytes.array();
  }

  private static long bits(ValueType type, SplitMix random) {
    if (random.chance(0.4)) {
      long[] special =
          switch (type) {
            case DOUBLE -> DOUBLES;
            case FLOAT -> FLOATS;
            case STRING, SHORT, ENUM, CHAR, LONG -> INTEGERS;
          };
      return special[random.below(special.length)];
    }
    if (random.chance(0.3)) {
      return random.next();
    }
    double reading = 20 + random.below(200) * 0.025;
    return switch (type) {
      case DOUBLE -> Double.doubleToRawLongBits(reading);
      case FLOAT -> Float.floatToRawIntBits((float) reading);
      case STRING, SHORT, ENUM, CHAR, LONG -> random.below(8);
    };
  }

  private static void put(ByteBuffer bytes, ValueType type, long bits, SplitMix random) {
    switch (type) {
      case STRING -> bytes.put(text(random));
      case DOUBLE -> bytes.putLong(bits);
      case FLOAT, LONG -> bytes.putInt((int) bits);
      case SHORT, ENUM -> bytes.putShort((short) bits);
      case CHAR -> bytes.put((byte) bits);
    }
  }

  private static byte[] text(SplitMix random) {
    byte[] text = new byte[TEXT_BYTES];
    if (random.chance(0.15)) {
      for (int i = 0; i < TEXT_BYTES; i++) {
        text[i] = (byte) random.next();
      }
      return text;
    }
    byte[] utf8 = TEXTS.get(random.below(TEXTS.size())).getBytes(StandardCharsets.UTF_8);
    int cut = random.chance(0.1) ? random.below(utf8.length + 1) : utf8.length;
    System.arraycopy(utf8, 0, text, 0, cut);
    if (random.chance(0.2)) {
      for (int i = cut + 1; i < TEXT_BYTES; i++) {
        text[i] = (byte) random.next();
      }
    }
    return text;
  }

  static long[] bits(ValueType type, ByteOrder order, byte[] value) {
    ByteBuffer bytes = ByteBuffer.wrap(value).order(order);
    long[] bits = new long[value.length / type.bytes()];
    for (int i = 0; i < bits.length; i++) {
      bits[i] =
          switch (type) {
            case DOUBLE -> bytes.getLong();
            case FLOAT -> bytes.getInt() & 0xFFFFFFFFL;
            case LONG -> bytes.getInt();
            case SHORT -> bytes.getShort();
            case ENUM -> bytes.getShort() & 0xFFFF;
            case CHAR -> bytes.get() & 0xFF;
            case STRING -> throw new IllegalStateException("a string has no bits");
          };
    }
    return bits;
  }

  static List<String> texts(byte[] value) {
    List<String> texts = new ArrayList<>();
    for (int from = 0; from < value.length; from += TEXT_BYTES) {
      int length = 0;
      while (length < TEXT_BYTES && value[from + length] != 0) {
        length++;
      }
      texts.add(new String(value, from, length, StandardCharsets.UTF_8));
    }
    return texts;
  }
}
