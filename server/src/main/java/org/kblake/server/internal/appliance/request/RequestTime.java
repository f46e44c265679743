package org.kblake.server.internal.appliance.request;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * Times of a request: ISO 8601 with {@code Z} or an offset, with up to nine digits of a fraction,
 * as nanoseconds since 1970 UTC. A blank before the offset counts as the plus sign that a client
 * did not encode.
 */
public final class RequestTime {

  /** The earliest time of a request. One nanosecond earlier still fits a {@code long}. */
  private static final long EARLIEST = Long.MIN_VALUE + 2;

  private static final long LATEST = Long.MAX_VALUE - 2;
  private static final long SECOND = 1_000_000_000L;

  private static final DateTimeFormatter FORMAT =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral('T')
          .appendValue(ChronoField.HOUR_OF_DAY, 2)
          .appendLiteral(':')
          .appendValue(ChronoField.MINUTE_OF_HOUR, 2)
          .optionalStart()
          .appendLiteral(':')
          .appendValue(ChronoField.SECOND_OF_MINUTE, 2)
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
          .optionalEnd()
          .optionalEnd()
          .appendOffset("+HH:mm", "Z")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT)
          .withChronology(IsoChronology.INSTANCE);

  private static final Pattern SHORT_OFFSET = Pattern.compile("(T.{1,20}[+-]\\d\\d)(\\d\\d)$");

  private RequestTime() {}

  /**
   * Returns the time of a parameter.
   *
   * @param text null for the default
   * @throws HttpStatusException if it is not a time
   */
  public static long nanos(String parameter, @Nullable String text, Instant otherwise) {
    return text == null ? nanos(parameter, otherwise) : nanos(parameter, text);
  }

  /**
   * @throws HttpStatusException if the text is not a time
   */
  public static long nanos(String parameter, String text) {
    try {
      return nanos(parameter, OffsetDateTime.parse(completed(text), FORMAT).toInstant());
    } catch (DateTimeException e) {
      throw HttpStatusException.wrong(
          parameter, "not a time: " + shortened(text) + "; write it as 2024-05-20T09:00:00.000Z");
    }
  }

  private static long nanos(String parameter, Instant instant) {
    long seconds = instant.getEpochSecond();
    if (seconds > LATEST / SECOND - 1 || seconds < EARLIEST / SECOND + 1) {
      throw HttpStatusException.wrong(
          parameter, "the time is outside of 1677-09-22 to 2262-04-11: " + instant);
    }
    return seconds * SECOND + instant.getNano();
  }

  /** Returns a time with a plus sign and a colon in its offset. */
  private static String completed(String text) {
    int blank = text.lastIndexOf(' ');
    String signed = blank > 0 ? text.substring(0, blank) + '+' + text.substring(blank + 1) : text;
    return SHORT_OFFSET.matcher(signed).replaceFirst("$1:$2");
  }

  /** Returns a text of a request as an error message quotes it. */
  static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "...";
  }

  /** Returns an hour after now. */
  static Instant soon(Instant now) {
    return now.plus(1, ChronoUnit.HOURS);
  }
}
