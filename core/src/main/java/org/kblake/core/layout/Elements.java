package org.kblake.core.layout;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.kblake.core.model.ValueType;

/** Reads and writes the elements of a value in a buffer, in the sizes of EPICS. */
public final class Elements {

  /**
   * The most bytes of well-formed text that a string element can have after malformed UTF-8 is
   * replaced.
   */
  public static final int MAX_TEXT_BYTES = 3 * ValueType.STRING.bytes();

  private Elements() {}

  /** Returns the bits of a number: see {@link org.kblake.core.columns.EventColumns#values}. */
  public static long bits(ValueType type, ByteBuffer bytes, int at) {
    return switch (type) {
      case DOUBLE -> bytes.getLong(at);
      case FLOAT -> Integer.toUnsignedLong(bytes.getInt(at));
      case LONG -> bytes.getInt(at);
      case SHORT -> bytes.getShort(at);
      case ENUM -> Short.toUnsignedLong(bytes.getShort(at));
      case CHAR -> Byte.toUnsignedLong(bytes.get(at));
      case STRING -> throw new IllegalArgumentException("a string has no bits");
    };
  }

  /** Writes a number, given as bits as {@link #bits} returns them. */
  public static void putBits(ValueType type, ByteBuffer bytes, int at, long bits) {
    switch (type) {
      case DOUBLE -> bytes.putLong(at, bits);
      case FLOAT, LONG -> bytes.putInt(at, (int) bits);
      case SHORT, ENUM -> bytes.putShort(at, (short) bits);
      case CHAR -> bytes.put(at, (byte) bits);
      case STRING -> throw new IllegalArgumentException("a string has no bits");
    }
  }

  /** Copies the bits of several numbers. The type is switched on once for all of them. */
  public static void copyBits(
      ValueType type, ByteBuffer bytes, int at, int elements, long[] target, int targetAt) {
    switch (type) {
      case DOUBLE -> {
        for (int i = 0; i < elements; i++) {
          target[targetAt + i] = bytes.getLong(at + i * Double.BYTES);
        }
      }
      case FLOAT -> {
        for (int i = 0; i < elements; i++) {
          target[targetAt + i] = Integer.toUnsignedLong(bytes.getInt(at + i * Float.BYTES));
        }
      }
      case LONG -> {
        for (int i = 0; i < elements; i++) {
          target[targetAt + i] = bytes.getInt(at + i * Integer.BYTES);
        }
      }
      case SHORT -> {
        for (int i = 0; i < elements; i++) {
          target[targetAt + i] = bytes.getShort(at + i * Short.BYTES);
        }
      }
      case ENUM -> {
        for (int i = 0; i < elements; i++) {
          target[targetAt + i] = Short.toUnsignedLong(bytes.getShort(at + i * Short.BYTES));
        }
      }
      case CHAR -> {
        for (int i = 0; i < elements; i++) {
          target[targetAt + i] = Byte.toUnsignedLong(bytes.get(at + i));
        }
      }
      case STRING -> throw new IllegalArgumentException("a string has no bits");
    }
  }

  /**
   * Copies a string element up to its terminator. Malformed UTF-8 is replaced by U+FFFD as {@link
   * String} does, so that all text is valid.
   *
   * @param target an array with room for {@link #MAX_TEXT_BYTES} from {@code targetAt}
   * @return the number of bytes written
   */
  public static int copyText(ByteBuffer bytes, int at, byte[] target, int targetAt) {
    int length = 0;
    boolean ascii = true;
    while (length < ValueType.STRING.bytes()) {
      byte next = bytes.get(at + length);
      if (next == 0) {
        break;
      }
      ascii &= next > 0;
      target[targetAt + length++] = next;
    }
    if (ascii || isWellFormed(target, targetAt, length)) {
      return length;
    }
    byte[] mended =
        new String(target, targetAt, length, StandardCharsets.UTF_8)
            .getBytes(StandardCharsets.UTF_8);
    System.arraycopy(mended, 0, target, targetAt, mended.length);
    return mended.length;
  }

  /** Writes a string element and zeros behind it. */
  public static void putText(ByteBuffer bytes, int at, byte[] text, int from, int length) {
    if (length > ValueType.STRING.bytes()) {
      throw new IllegalArgumentException(
          "text is too long: bytes=" + length + ", most=" + ValueType.STRING.bytes());
    }
    for (int i = 0; i < length; i++) {
      bytes.put(at + i, text[from + i]);
    }
    for (int i = length; i < ValueType.STRING.bytes(); i++) {
      bytes.put(at + i, (byte) 0);
    }
  }

  /** Returns whether text is well-formed UTF-8 by table 3-7 of the Unicode standard. */
  private static boolean isWellFormed(byte[] text, int from, int length) {
    int end = from + length;
    int at = from;
    while (at < end) {
      int lead = text[at++];
      if (lead >= 0) {
        continue;
      }
      lead &= 0xFF;
      int following = lead < 0xC2 ? -1 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : -1;
      if (following < 0 || at + following > end) {
        return false;
      }
      int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
      int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
      for (int i = 0; i < following; i++) {
        int next = text[at++] & 0xFF;
        if (next < least || next > most) {
          return false;
        }
        least = 0x80;
        most = 0xBF;
      }
    }
    return true;
  }
}
