package org.kblake.format.argument;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the forms of {@link TimeArgument}. */
final class TimeParser {

  /** A month, or a day with an optional clock, which may be cut short, and an optional offset. */
  private static final Pattern DATE =
      Pattern.compile(
          "(?:(\\d{4})([-/])(\\d\\d)(?:\\2(\\d\\d))?|(\\d{4})(\\d\\d)(\\d\\d)"
              + "|(\\d\\d)/(\\d\\d)/(\\d{4})|(today|yesterday))"
              + "(?:[Tt ] *(\\d\\d|\\d(?=:))(?::?(\\d\\d)(?::?(\\d\\d)(?:[.,](\\d+))?)?)?"
              + "([Zz]|[+-]\\d{2}(?::?\\d{2})?)?)?",
          Pattern.CASE_INSENSITIVE);

  /** The groups of a number in {@link #DATE}. At most one of them has matched. */
  private static final int[] YEAR = {1, 5, 10};

  private static final int[] MONTH = {3, 6, 8};
  private static final int[] DAY = {4, 7, 9};

  private static final int WORD = 11;
  private static final int HOUR = 12;
  private static final int FRACTION = 15;
  private static final int OFFSET = 16;

  private static final Pattern DIGITS =
      Pattern.compile("(\\d{4})(?:(\\d\\d)(?:(\\d\\d)(?:(\\d\\d)(?:(\\d\\d)(\\d\\d)?)?)?)?)?");

  private static final Pattern EPOCH = Pattern.compile("@(-?)(\\d{1,10})(?:[.,](\\d+))?");

  /** Years and months of the calendar, then a duration. */
  private static final Pattern AGO = Pattern.compile("- *(?:(\\d{1,4})y)?(?:(\\d{1,4})M)?(.*)");

  private TimeParser() {}

  static TimeArgument parse(String text) {
    String trimmed = text.strip();
    try {
      if (trimmed.startsWith("-")) {
        return ago(trimmed);
      }
      if (trimmed.regionMatches(true, 0, "now", 0, 3)) {
        String rest = trimmed.substring(3).strip();
        return rest.isEmpty() ? new TimeArgument.Ago(0, Duration.ZERO) : ago(rest);
      }
      return dateOrSeconds(trimmed);
    } catch (DateTimeException | IllegalArgumentException e) {
      String reason = e.getMessage();
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a time"
              + (reason == null ? "" : " (" + reason + ")")
              + "; write "
              + TimeArgument.EXAMPLES,
          e);
    }
  }

  private static TimeArgument ago(String text) {
    Matcher fields = AGO.matcher(text);
    if (!fields.matches()) {
      throw new IllegalArgumentException();
    }
    int months = 12 * number(fields, 0, 1) + number(fields, 0, 2);
    String rest = fields.group(3);
    boolean whole = rest.isEmpty() && months > 0;
    return new TimeArgument.Ago(months, whole ? Duration.ZERO : DurationArgument.parse(rest));
  }

  private static TimeArgument dateOrSeconds(String text) {
    Matcher date = DATE.matcher(text);
    if (date.matches()) {
      return date(date);
    }
    Matcher digits = DIGITS.matcher(text);
    if (digits.matches()) {
      LocalDate day =
          LocalDate.of(number(digits, 0, 1), number(digits, 1, 2), number(digits, 1, 3));
      return new TimeArgument.Absolute(day.atStartOfDay().plusNanos(clock(digits, 4, 0)), null);
    }
    Matcher epoch = EPOCH.matcher(text);
    if (epoch.matches()) {
      long sign = epoch.group(1).isEmpty() ? 1 : -1;
      LocalDateTime second =
          LocalDateTime.ofEpochSecond(sign * Long.parseLong(epoch.group(2)), 0, ZoneOffset.UTC);
      return new TimeArgument.Absolute(
          second.plusNanos(sign * nanos(epoch.group(3))), ZoneOffset.UTC);
    }
    throw new IllegalArgumentException();
  }

  private static TimeArgument date(Matcher fields) {
    boolean hasDay = number(fields, -1, DAY) >= 0 || fields.group(WORD) != null;
    if (!hasDay && fields.group(HOUR) != null) {
      throw new IllegalArgumentException("a clock time needs a day");
    }
    long nanoOfDay = clock(fields, HOUR, nanos(fields.group(FRACTION)));
    String offset = fields.group(OFFSET);
    String word = fields.group(WORD);
    if (word != null) {
      if (offset != null) {
        throw new IllegalArgumentException("an offset needs a date");
      }
      return new TimeArgument.Day(word.equalsIgnoreCase("today") ? 0 : 1, nanoOfDay);
    }
    LocalDate day =
        LocalDate.of(number(fields, 0, YEAR), number(fields, 1, MONTH), number(fields, 1, DAY));
    return new TimeArgument.Absolute(
        day.atStartOfDay().plusNanos(nanoOfDay),
        offset == null ? null : ZoneOffset.of(offset.toUpperCase(Locale.ROOT)));
  }

  /** Returns the nanosecond of the day. In ISO 8601, 24:00 is the end of a day. */
  private static long clock(Matcher fields, int hourGroup, int nanos) {
    int hour = number(fields, 0, hourGroup);
    int minute = number(fields, 0, hourGroup + 1);
    int second = number(fields, 0, hourGroup + 2);
    return hour == 24 && minute == 0 && second == 0 && nanos == 0
        ? Duration.ofDays(1).toNanos()
        : LocalTime.of(hour, minute, second, nanos).toNanoOfDay();
  }

  /** Returns the number of the group that has matched, or {@code absent} if none has. */
  private static int number(Matcher fields, int absent, int... groups) {
    for (int group : groups) {
      String digits = fields.group(group);
      if (digits != null) {
        return Integer.parseInt(digits);
      }
    }
    return absent;
  }

  private static int nanos(@Nullable String fraction) {
    if (fraction == null) {
      return 0;
    }
    if (fraction.length() > 9) {
      throw new IllegalArgumentException("finer than a nanosecond");
    }
    return Integer.parseInt((fraction + "00000000").substring(0, 9));
  }
}
