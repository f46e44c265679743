package org.kblake.format.argument;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A duration as a user may write it, such as {@code 90m}, {@code 2h30m} or {@code 1.5s}. */
public final class DurationArgument {

  private DurationArgument() {}

  /**
   * The pattern. It is compiled at its first use, because the defaults, which are parsed at every
   * start, do not need it.
   */
  private static final class Units {
    private static final Pattern NUMBER_AND_UNIT =
        Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(w|d|h|min|ms|m|s|us|ns)");
  }

  /**
   * Parses a duration. A day is 24 hours.
   *
   * @throws IllegalArgumentException if the text is not a duration
   */
  public static Duration parse(String text) {
    Duration whole = wholeUnits(text);
    if (whole != null) {
      return whole;
    }
    Matcher next = Units.NUMBER_AND_UNIT.matcher(text);
    Duration sum = Duration.ZERO;
    int at = 0;
    try {
      while (next.lookingAt()) {
        BigDecimal nanos = new BigDecimal(next.group(1)).multiply(unitNanos(next.group(2)));
        BigDecimal[] secondsAndNanos = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000L));
        sum =
            sum.plus(
                Duration.ofSeconds(
                    secondsAndNanos[0].longValueExact(), secondsAndNanos[1].longValueExact()));
        at = next.end();
        next.region(at, text.length());
      }
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' is finer than a nanosecond", e);
    }
    if (at == 0 || at < text.length()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration; write 90m, 7d, 2h30m, 1.5s (w d h m s ms us ns)");
    }
    return sum;
  }

  /** Formats a duration in one unit: {@code 42 s}, {@code 25 min}, {@code 3 h} or {@code 9 d}. */
  public static String about(long seconds) {
    if (seconds < 120) {
      return seconds + " s";
    }
    long minutes = seconds / 60;
    if (minutes < 120) {
      return minutes + " min";
    }
    long hours = minutes / 60;
    return hours < 48 ? hours + " h" : hours / 24 + " d";
  }

  /** Parses up to 9 digits and one letter. Returns null if the text has another form. */
  private static @Nullable Duration wholeUnits(String text) {
    int digits = text.length() - 1;
    if (digits < 1 || digits > 9) {
      return null;
    }
    long number = 0;
    for (int i = 0; i < digits; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return null;
      }
      number = number * 10 + c - '0';
    }
    return switch (text.charAt(digits)) {
      case 'd' -> Duration.ofDays(number);
      case 'h' -> Duration.ofHours(number);
      case 'm' -> Duration.ofMinutes(number);
      case 's' -> Duration.ofSeconds(number);
      default -> null;
    };
  }

  private static BigDecimal unitNanos(String unit) {
    return BigDecimal.valueOf(
        switch (unit) {
          case "w" -> Duration.ofDays(7).toNanos();
          case "d" -> Duration.ofDays(1).toNanos();
          case "h" -> Duration.ofHours(1).toNanos();
          case "min", "m" -> Duration.ofMinutes(1).toNanos();
          case "s" -> 1_000_000_000L;
          case "ms" -> 1_000_000L;
          case "us" -> 1_000L;
          case "ns" -> 1L;
          default -> throw new AssertionError("the pattern matches no other unit: " + unit);
        });
  }
}
