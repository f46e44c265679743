package org.kblake.cli.format;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * ISO 8601 with nine digits of fraction and the zone's offset: {@code
 * 2022-03-15T03:18:51.270000000+09:00}. The width is fixed, so that texts sort like times where the
 * offset does not change and programs that guess a format from the first line guess right. UTC is
 * {@code +00:00}.
 */
final class IsoTimeText implements TimeText {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long SECONDS_PER_DAY = 86_400;

  private final ZoneRules rules;

  /*
   * The date and the offset hold from fromNanos to toNanos, both included: the part of a local day
   * in which the offset does not change. Rows come nearly sorted, so this is worked out about once a
   * day of data, and a row costs the digits of its time of day only.
   */
  private long fromNanos = Long.MAX_VALUE;
  private long toNanos = Long.MIN_VALUE;
  private long midnightSecond;
  private final byte[] date = new byte[11];
  private byte[] offset = {};

  IsoTimeText(ZoneId zone) {
    this.rules = zone.getRules();
  }

  @Override
  public int write(long nanos, byte[] target, int at) {
    if (nanos < fromNanos || nanos > toNanos) {
      moveTo(nanos);
    }
    long second = Math.floorDiv(nanos, NANOS_PER_SECOND);
    int fraction = (int) (nanos - second * NANOS_PER_SECOND);
    int ofDay = (int) (second - midnightSecond);
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
    Instant instant = Instant.ofEpochSecond(0, nanos);
    ZoneOffset here = rules.getOffset(instant);
    long second = instant.getEpochSecond();
    long day = Math.floorDiv(second + here.getTotalSeconds(), SECONDS_PER_DAY);
    midnightSecond = day * SECONDS_PER_DAY - here.getTotalSeconds();
    long first = midnightSecond;
    long last = midnightSecond + SECONDS_PER_DAY - 1;
    // The transition at this very instant is the one behind us
    ZoneOffsetTransition before = rules.previousTransition(instant.plusNanos(1));
    if (before != null) {
      first = Math.max(first, before.toEpochSecond());
    }
    ZoneOffsetTransition after = rules.nextTransition(instant);
    if (after != null) {
      last = Math.min(last, after.toEpochSecond() - 1);
    }
    // A window may reach past what a long of nanoseconds can say
    fromNanos = saturatedNanos(first, 0);
    toNanos = saturatedNanos(last, NANOS_PER_SECOND - 1);
    byte[] text = (LocalDate.ofEpochDay(day) + "T").getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, date, 0, date.length);
    String zone = here.getTotalSeconds() == 0 ? "+00:00" : here.getId();
    offset = zone.getBytes(StandardCharsets.US_ASCII);
  }

  private static long saturatedNanos(long second, long fraction) {
    long bound = Long.MAX_VALUE / NANOS_PER_SECOND;
    if (second >= bound) {
      return Long.MAX_VALUE;
    }
    return second < -bound ? Long.MIN_VALUE : second * NANOS_PER_SECOND + fraction;
  }
}
