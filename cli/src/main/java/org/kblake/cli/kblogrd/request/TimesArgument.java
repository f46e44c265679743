package org.kblake.cli.kblogrd.request;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.kblake.cli.error.UsageException;

/**
 * The value of {@code -t}: {@code START[-[END]][dN]}, times {@code yyyymmddhhmmss} in the archive's
 * zone, cut short on the right in twos, but not the day.
 */
final class TimesArgument {

  private static final String FORM =
      "write START[-[END]][dN] with times yyyymmddhhmmss (8, 10, 12 or 14 digits), N whole"
          + " seconds";

  private static final long SECOND = 1_000_000_000L;

  /** Of days before 1677 and after 2262 there are no events; their times end there. */
  private static final long LAST_SECOND = Long.MAX_VALUE / SECOND - 1;

  private final ZoneId zone;
  private final Instant now;

  TimesArgument(ZoneId zone, Instant now) {
    this.zone = zone;
    this.now = now;
  }

  /**
   * @throws UsageException if the text is none
   */
  KblogrdRequest.Times parse(String text) {
    int d = text.indexOf('d');
    String range = d < 0 ? text : text.substring(0, d);
    long step = d < 0 ? 0 : step(text, text.substring(d + 1));
    int dash = range.indexOf('-');
    LocalDateTime first = time(text, dash < 0 ? range : range.substring(0, dash));
    long startNanos = second(first, false) * SECOND;
    if (dash < 0) {
      return step == 0
          ? new KblogrdRequest.Instant(startNanos)
          : new KblogrdRequest.Grid(startNanos, startNanos, step, startNanos + SECOND);
    }
    String end = range.substring(dash + 1);
    long endNanos;
    long toNanos;
    if (end.isEmpty()) {
      // a range that has not begun yet is empty, not wrong
      endNanos = Math.max(startNanos, now.getEpochSecond() * SECOND + now.getNano());
      toNanos = endNanos + 1;
    } else {
      LocalDateTime last = time(text, end);
      endNanos = second(last, true) * SECOND;
      toNanos = endNanos + SECOND;
      if (endNanos < startNanos) {
        throw new UsageException("-t " + text + " ends before it starts: " + FORM);
      }
    }
    return step == 0
        ? new KblogrdRequest.Range(startNanos, toNanos)
        : new KblogrdRequest.Grid(startNanos, endNanos, step, toNanos);
  }

  private static long step(String text, String digits) {
    if (!isNumber(digits) || digits.length() > 9 || Integer.parseInt(digits) == 0) {
      throw new UsageException(
          "-t " + text + ": N of dN is a whole number of seconds from 1 to 999999999: " + FORM);
    }
    return Integer.parseInt(digits) * SECOND;
  }

  private static LocalDateTime time(String text, String digits) {
    int length = digits.length();
    if (!isNumber(digits) || length < 8 || length > 14 || length % 2 != 0) {
      throw new UsageException("-t " + text + ": '" + digits + "' is no time: " + FORM);
    }
    try {
      return LocalDateTime.of(
          Integer.parseInt(digits.substring(0, 4)),
          part(digits, 4),
          part(digits, 6),
          part(digits, 8),
          part(digits, 10),
          part(digits, 12));
    } catch (DateTimeException e) {
      throw new UsageException(
          "-t " + text + ": " + digits + " is not in the calendar: " + e.getMessage() + "; " + FORM,
          e);
    }
  }

  private static int part(String digits, int at) {
    return at < digits.length() ? Integer.parseInt(digits.substring(at, at + 2)) : 0;
  }

  private static boolean isNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /**
   * The second since 1970 UTC that clocks showed.
   *
   * @param last of a time that clocks showed twice the last, else the first
   */
  private long second(LocalDateTime time, boolean last) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
    // clocks never showed it: it means the moment at which they were set forward
    long second =
        offsets.isEmpty()
            ? zone.getRules().getTransition(time).toEpochSecond()
            : time.toEpochSecond(offsets.get(last ? offsets.size() - 1 : 0));
    return Math.max(-LAST_SECOND, Math.min(second, LAST_SECOND));
  }
}
