package org.kblake.format.time;

import java.time.ZoneId;
import org.kblake.format.number.Digits;

/**
 * Writes local times in the form of kblogrd: {@code 03/15/2022 03:18:51}, optionally with
 * hundredths such as {@code .27}. Hundredths are truncated. If clocks were set back, a text stands
 * for two instants. Not thread safe.
 */
public final class ClockText {

  /** The length in bytes of a time without its fraction. */
  public static final int BYTES = 19;

  /** The length in bytes of a time with its fraction. */
  public static final int BYTES_WITH_FRACTION = 22;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int NANOS_PER_HUNDREDTH = 10_000_000;

  private final LocalDay day;

  /** The text of the last second. Consecutive times often share it. */
  private final byte[] text = new byte[BYTES + 1];

  private long textSecond = Long.MIN_VALUE;

  public ClockText(ZoneId zone) {
    this.day = new LocalDay(zone);
    text[2] = '/';
    text[5] = '/';
    text[10] = ' ';
    text[13] = ':';
    text[16] = ':';
    text[BYTES] = '.';
  }

  /**
   * Writes an instant to the second.
   *
   * @param nanos nanoseconds since 1970 UTC
   * @param target an array with room for {@link #BYTES} from {@code at} on
   * @return the position after the text
   */
  public int write(long nanos, byte[] target, int at) {
    moveTo(Math.floorDiv(nanos, NANOS_PER_SECOND), nanos);
    System.arraycopy(text, 0, target, at, BYTES);
    return at + BYTES;
  }

  /**
   * Writes an instant with two digits of fraction.
   *
   * @param nanos nanoseconds since 1970 UTC
   * @param target an array with room for {@link #BYTES_WITH_FRACTION} from {@code at} on
   * @return the position after the text
   */
  public int writeWithFraction(long nanos, byte[] target, int at) {
    long second = Math.floorDiv(nanos, NANOS_PER_SECOND);
    moveTo(second, nanos);
    System.arraycopy(text, 0, target, at, BYTES + 1);
    int fraction = (int) (nanos - second * NANOS_PER_SECOND);
    Digits.write2(fraction / NANOS_PER_HUNDREDTH, target, at + BYTES + 1);
    return at + BYTES_WITH_FRACTION;
  }

  private void moveTo(long second, long nanos) {
    if (second == textSecond) {
      return;
    }
    if (day.isOutside(nanos)) {
      day.moveTo(nanos);
      Digits.write2(day.date().getMonthValue(), text, 0);
      Digits.write2(day.date().getDayOfMonth(), text, 3);
      // Four digits are enough: 64-bit nanoseconds cover 1677 to 2262
      Digits.write4(day.date().getYear(), text, 6);
    }
    int ofDay = day.secondOfDay(second);
    int minutes = ofDay / 60;
    int hours = minutes / 60;
    Digits.write2(hours, text, 11);
    Digits.write2(minutes - hours * 60, text, 14);
    Digits.write2(ofDay - minutes * 60, text, 17);
    textSecond = second;
  }
}
