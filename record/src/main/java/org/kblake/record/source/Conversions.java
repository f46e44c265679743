package org.kblake.record.source;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.kblake.core.model.ValueType;

/** Conversions to types of a log that can lose something, and how often they did. */
public final class Conversions {

  private static final int STRING_BYTES = ValueType.STRING.bytes();

  /** Binary digits that a double holds. */
  private static final int DOUBLE_DIGITS = 53;

  private final LongAdder inexactIntegers = new LongAdder();
  private final LongAdder cutStrings = new LongAdder();

  /** Returns the number of integers that no double holds exactly. */
  public long inexactIntegers() {
    return inexactIntegers.sum();
  }

  /** Returns the number of strings that were cut. */
  public long cutStrings() {
    return cutStrings.sum();
  }

  /** Appends the double that is nearest to an integer. */
  public void putInteger(ByteBuffer target, long integer, boolean isUnsigned) {
    boolean isBeyond = isUnsigned && integer < 0;
    long magnitude = isUnsigned ? integer : Math.abs(integer);
    int digits =
        Long.SIZE - Long.numberOfLeadingZeros(magnitude) - Long.numberOfTrailingZeros(magnitude);
    if (digits > DOUBLE_DIGITS) {
      inexactIntegers.increment();
    }
    // The last bit decides only whether the half is above a tie.
    target.putDouble(isBeyond ? ((integer >>> 1) | (integer & 1)) * 2.0 : (double) integer);
  }

  /** Appends the double that is nearest to a number. Only integers are expected to be exact. */
  public void putDecimal(ByteBuffer target, BigDecimal number) {
    double nearest = number.doubleValue();
    boolean isInteger = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    if (isInteger
        && (Double.isInfinite(nearest) || new BigDecimal(nearest).compareTo(number) != 0)) {
      inexactIntegers.increment();
    }
    target.putDouble(nearest);
  }

  /** Appends a string of 40 bytes: whole characters in at most 39 bytes of UTF-8, and zeros. */
  public void putString(ByteBuffer target, String text) {
    putString(target, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Appends a string, as {@link #putString(ByteBuffer, String)}, of bytes of UTF-8. */
  public void putString(ByteBuffer target, byte[] bytes) {
    int kept = Math.min(length(bytes), wholeCharacters(bytes, STRING_BYTES - 1));
    if (kept < bytes.length) {
      cutStrings.increment();
    }
    target.put(Arrays.copyOf(bytes, kept)).put(new byte[STRING_BYTES - kept]);
  }

  /** Returns the number of bytes before the first zero, at which readers end a string. */
  private static int length(byte[] text) {
    int length = 0;
    while (length < text.length && text[length] != 0) {
      length++;
    }
    return length;
  }

  /**
   * Returns the number of bytes of the whole characters of UTF-8 at the begin of a text.
   *
   * @param most the largest number of bytes
   */
  public static int wholeCharacters(byte[] text, int most) {
    if (text.length <= most) {
      return text.length;
    }
    int end = most;
    while (end > 0 && (text[end] & 0xC0) == 0x80) {
      end--;
    }
    return end;
  }
}
