package org.kblake.cli.argument;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A stretch of time as a user may write it: {@code 90m}, {@code 2h30m}, {@code 1.5s}. */
public final class DurationArgument {

  private static final Pattern PART =
      Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(w|d|h|min|ms|m|s|us|ns)");

  private DurationArgument() {}

  /**
   * Reads a duration; a day is 24 hours.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static Duration parse(String text) {
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    int at = 0;
    try {
      while (part.lookingAt()) {
        BigDecimal nanos = new BigDecimal(part.group(1)).multiply(unitNanos(part.group(2)));
        BigDecimal[] secondsAndNanos = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000L));
        sum =
            sum.plus(
                Duration.ofSeconds(
                    secondsAndNanos[0].longValueExact(), secondsAndNanos[1].longValueExact()));
        at = part.end();
        part.region(at, text.length());
      }
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' is finer than a nanosecond", e);
    }
    if (at == 0 || at < text.length()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration; say 90m, 7d, 2h30m, 1.5s (w d h m s ms us ns)");
    }
    return sum;
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
          default -> throw new AssertionError("the pattern lets no other unit pass: " + unit);
        });
  }
}
