package org.kblake.format.time;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import org.kblake.format.number.Digits;

/**
 * Writes times in ISO 8601 with nine digits of fraction and the zone's offset: {@code
 * 2022-03-15T03:18:51.270000000+09:00}. The width is fixed. So texts sort like times while the
 * offset does not change, and programs that infer a format from the first line are right. UTC is
 * {@code +00:00}.
 */
public final class IsoTimeText implements TimeText {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int SECOND_AT = 17;
  private static final int FRACTION_AT = 20;

  private final LocalDay day;

  /** The text of the minute of the last time. Consecutive times often share it. */
  private byte[] text = {};

  private long minuteNanos;

  public IsoTimeText(ZoneId zone) {
    this.day = new LocalDay(zone);
  }

  @Override
  public int write(long nanos, byte[] target, int at) {
    long ofMinute = nanos - minuteNanos;
    if (ofMinute < 0 || ofMinute >= SECONDS_PER_MINUTE * NANOS_PER_SECOND || day.isOutside(nanos)) {
      moveTo(nanos);
      ofMinute = nanos - minuteNanos;
    }
    byte[] minute = text;
    System.arraycopy(minute, 0, target, at, minute.length);
    int second = (int) (ofMinute / NANOS_PER_SECOND);
    Digits.write2(second, target, at + SECOND_AT);
    Digits.write9((int) (ofMinute - second * NANOS_PER_SECOND), target, at + FRACTION_AT);
    return at + minute.length;
  }

  @Override
  public boolean numeric() {
    return false;
  }

  private void moveTo(long nanos) {
    if (day.isOutside(nanos)) {
      day.moveTo(nanos);
      String zone = day.offset().getTotalSeconds() == 0 ? "+00:00" : day.offset().getId();
      text = (day.date() + "T00:00:00.000000000" + zone).getBytes(StandardCharsets.US_ASCII);
    }
    long second = Math.floorDiv(nanos, NANOS_PER_SECOND);
    int ofDay = day.secondOfDay(second);
    int minutes = ofDay / SECONDS_PER_MINUTE;
    int hours = minutes / 60;
    Digits.write2(hours, text, 11);
    Digits.write2(minutes - hours * 60, text, 14);
    minuteNanos = (second - (ofDay - minutes * SECONDS_PER_MINUTE)) * NANOS_PER_SECOND;
  }
}
