package org.kblake.cli.argument;

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

  private static final Pattern ISO =
      Pattern.compile(
          "(\\d{4})-(\\d{2})-(\\d{2})"
              + "(?:[Tt ](\\d{2})(?::(\\d{2})(?::(\\d{2})(?:[.,](\\d+))?)?)?"
              + "([Zz]|[+-]\\d{2}(?::?\\d{2})?)?)?");

  private static final Pattern DIGITS =
      Pattern.compile("(\\d{4})(?:(\\d{2})(?:(\\d{2})(?:(\\d{2})(?:(\\d{2})(\\d{2})?)?)?)?)?");

  private TimeParser() {}

  static TimeArgument parse(String text) {
    String trimmed = text.strip();
    return switch (trimmed.toLowerCase(Locale.ROOT)) {
      case "now" -> new TimeArgument.Ago(Duration.ZERO);
      case "today" -> new TimeArgument.Day(0);
      case "yesterday" -> new TimeArgument.Day(1);
      default -> parseNumbers(text, trimmed);
    };
  }

  private static TimeArgument parseNumbers(String text, String trimmed) {
    if (trimmed.startsWith("-")) {
      return new TimeArgument.Ago(ago(text, trimmed.substring(1)));
    }
    Matcher iso = ISO.matcher(trimmed);
    if (iso.matches()) {
      return absolute(text, iso, iso.group(7), iso.group(8));
    }
    Matcher digits = DIGITS.matcher(trimmed);
    if (digits.matches()) {
      return absolute(text, digits, null, null);
    }
    throw notATime(text, null);
  }

  private static Duration ago(String text, String duration) {
    try {
      return DurationArgument.parse(duration);
    } catch (IllegalArgumentException e) {
      throw notATime(text, e.getMessage());
    }
  }

  private static TimeArgument absolute(
      String text, Matcher parts, @Nullable String fraction, @Nullable String offset) {
    if (fraction != null && fraction.length() > 9) {
      throw notATime(text, "finer than a nanosecond");
    }
    try {
      LocalDate date = LocalDate.of(number(parts, 1, 0), number(parts, 2, 1), number(parts, 3, 1));
      return new TimeArgument.Absolute(
          dateTime(date, parts, nanos(fraction)),
          offset == null ? null : ZoneOffset.of(offset.toUpperCase(Locale.ROOT)));
    } catch (DateTimeException e) {
      throw notATime(text, e.getMessage());
    }
  }

  private static LocalDateTime dateTime(LocalDate date, Matcher parts, int nanos) {
    int hour = number(parts, 4, 0);
    int minute = number(parts, 5, 0);
    int second = number(parts, 6, 0);
    if (hour == 24 && minute == 0 && second == 0 && nanos == 0) {
      // In ISO 8601, 24:00 is the end of a day
      return date.plusDays(1).atStartOfDay();
    }
    return date.atTime(LocalTime.of(hour, minute, second, nanos));
  }

  private static int number(Matcher parts, int group, int absent) {
    String digits = parts.group(group);
    return digits == null ? absent : Integer.parseInt(digits);
  }

  private static int nanos(@Nullable String fraction) {
    return fraction == null ? 0 : Integer.parseInt((fraction + "00000000").substring(0, 9));
  }

  private static IllegalArgumentException notATime(String text, @Nullable String why) {
    return new IllegalArgumentException(
        "'"
            + text
            + "' is not a time"
            + (why == null ? "" : " (" + why + ")")
            + "; write "
            + TimeArgument.FORMS);
  }
}
