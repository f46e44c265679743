package org.kblake.cli.kblogrd.request;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.kblake.format.number.Digits;

/** Instants in the form of {@code -t}: {@code yyyymmddhhmmss} in the archive's zone. */
public final class Stamp {

  private Stamp() {}

  public static String of(long nanos, ZoneId zone) {
    LocalDateTime time = LocalDateTime.ofInstant(Instant.ofEpochSecond(0, nanos), zone);
    byte[] text = new byte[14];
    Digits.write2(time.getYear() / 100, text, 0);
    Digits.write2(time.getYear() % 100, text, 2);
    Digits.write2(time.getMonthValue(), text, 4);
    Digits.write2(time.getDayOfMonth(), text, 6);
    Digits.write2(time.getHour(), text, 8);
    Digits.write2(time.getMinute(), text, 10);
    Digits.write2(time.getSecond(), text, 12);
    return new String(text, StandardCharsets.US_ASCII);
  }
}
