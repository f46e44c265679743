package org.kblake.cli.kblogrd.request;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.kblake.cli.error.UsageException;
import org.kblake.core.model.EpochNanos;

/**
 * The value of {@code -t}: {@code START[-[END]][dN]}. Times are {@code yyyymmddhhmmss} in the
 * archive's zone. Hours, minutes and seconds may be omitted from the right.
 */
final class TimesArgument {

  private static final String FORM =
      "write START[-[END]][dN] with times yyyymmddhhmmss (8, 10, 12 or 14 digits), N whole"
          + " seconds";

  private static final long SECOND = 1_000_000_000L;

  /**
   * The limit of times in seconds. Days before 1677 or after 2262 have no events, and their times
   * are set to the limit.
   */
  private static final long LAST_SECOND = Long.MAX_VALUE / SECOND - 1;

  private final ZoneId zone;
  private final Instant now;

  TimesArgument(ZoneId zone, Instant now) {
    this.zone = zone;
    this.now = now;
  }

  /**
   * @throws UsageException if the text is not a value of {@code -t}
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
      // A range that begins in the future is empty, not wrong
      endNanos = Math.max(startNanos, EpochNanos.of(now));
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
      throw new UsageException("-t " + text + ": '" + digits + "' is not a time: " + FORM);
    }
    try {
      return LocalDateTime.of(
          Integer.parseInt(digits.substring(0, 4)),
          twoDigits(digits, 4),
          twoDigits(digits, 6),
          twoDigits(digits, 8),
          twoDigits(digits, 10),
          twoDigits(digits, 12));
    } catch (DateTimeException e) {
      throw new UsageException(
          "-t " + text + ": " + digits + " is not in the calendar: " + e.getMessage() + "; " + FORM,
          e);
    }
  }

  private static int twoDigits(String digits, int at) {
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
   * Returns the second since 1970 UTC of a local time.
   *
   * @param last whether to take the last instant if clocks showed the time twice; else the first
   */
  private long second(LocalDateTime time, boolean last) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
    // If no clock showed this time, take the instant at which the clocks were set forward
    long second =
        offsets.isEmpty()
            ? zone.getRules().getTransition(time).toEpochSecond()
            : time.toEpochSecond(offsets.get(last ? offsets.size() - 1 : 0));
    return Math.max(-LAST_SECOND, Math.min(second, LAST_SECOND));
  }
}
