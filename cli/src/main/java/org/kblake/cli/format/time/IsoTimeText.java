package org.kblake.cli.format.time;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import org.kblake.cli.format.number.Digits;

/**
 * Writes times in ISO 8601 with nine digits of fraction and the zone's offset: {@code
 * 2022-03-15T03:18:51.270000000+09:00}. The width is fixed. So texts sort like times while the
 * offset does not change, and programs that infer a format from the first line are right. UTC is
 * {@code +00:00}.
 */
public final class IsoTimeText implements TimeText {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final LocalDay day;
  private final byte[] date = new byte[11];
  private byte[] offset = {};

  public IsoTimeText(ZoneId zone) {
    this.day = new LocalDay(zone);
  }

  @Override
  public int write(long nanos, byte[] target, int at) {
    if (day.isOutside(nanos)) {
      moveTo(nanos);
    }
    long second = Math.floorDiv(nanos, NANOS_PER_SECOND);
    int fraction = (int) (nanos - second * NANOS_PER_SECOND);
    int ofDay = day.secondOfDay(second);
    int minutes = ofDay / 60;
    int hours = minutes / 60;

    System.arraycopy(date, 0, target, at, 11);
    Digits.write2(hours, target, at + 11);
    target[at + 13] = ':';
    Digits.write2(minutes - hours * 60, target, at + 14);
    target[at + 16] = ':';
    Digits.write2(ofDay - minutes * 60, target, at + 17);
    target[at + 19] = '.';
    Digits.write9(fraction, target, at + 20);
    byte[] zone = offset;
    System.arraycopy(zone, 0, target, at + 29, zone.length);
    return at + 29 + zone.length;
  }

  @Override
  public boolean numeric() {
    return false;
  }

  private void moveTo(long nanos) {
    day.moveTo(nanos);
    byte[] text = (day.date() + "T").getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, date, 0, date.length);
    String zone = day.offset().getTotalSeconds() == 0 ? "+00:00" : day.offset().getId();
    offset = zone.getBytes(StandardCharsets.US_ASCII);
  }
}
