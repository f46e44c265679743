package org.kblake.format.time;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import org.kblake.format.number.Digits;

/**
 * Writes local times without their offset: {@code 2022-03-15 03:18:51}, optionally with
 * milliseconds such as {@code .270}. Further digits are truncated. If clocks were set back, a text
 * stands for two instants. Not thread safe.
 */
final class LocalTimeText implements TimeText {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final int HOUR_AT = 11;
  private static final int FRACTION_AT = 20;

  private final LocalDay day;
  private final boolean millis;

  /** The text of the last second. Consecutive times often share it. */
  private byte[] text = {};

  private long textSecond = Long.MIN_VALUE;

  /**
   * @param millis whether three digits of fraction are written
   */
  LocalTimeText(ZoneId zone, boolean millis) {
    this.day = new LocalDay(zone);
    this.millis = millis;
  }

  @Override
  public int write(long nanos, byte[] target, int at) {
    long second = Math.floorDiv(nanos, NANOS_PER_SECOND);
    if (second != textSecond) {
      moveTo(second, nanos);
    }
    System.arraycopy(text, 0, target, at, text.length);
    if (millis) {
      int fraction = (int) (nanos - second * NANOS_PER_SECOND) / NANOS_PER_MILLI;
      target[at + FRACTION_AT] = (byte) ('0' + fraction / 100);
      Digits.write2(fraction % 100, target, at + FRACTION_AT + 1);
    }
    return at + text.length;
  }

  @Override
  public boolean numeric() {
    return false;
  }

  private void moveTo(long second, long nanos) {
    if (day.isOutside(nanos)) {
      day.moveTo(nanos);
      text =
          (day.date() + " 00:00:00" + (millis ? ".000" : "")).getBytes(StandardCharsets.US_ASCII);
    }
    int ofDay = day.secondOfDay(second);
    int minutes = ofDay / 60;
    int hours = minutes / 60;
    Digits.write2(hours, text, HOUR_AT);
    Digits.write2(minutes - hours * 60, text, HOUR_AT + 3);
    Digits.write2(ofDay - minutes * 60, text, HOUR_AT + 6);
    textSecond = second;
  }
}
