package org.kblake.format.argument;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EpochNanos;

/**
 * A time as a user may write it. The instant depends on a zone and on the present time.
 *
 * <ul>
 *   <li>a date and a clock time: {@code 2016-05-16T09:00:00.123456789+09:00}. The date may also be
 *       {@code 2016/05/16}, {@code 20160516} or kblogrd's {@code 05/16/2016}. Between both is a T
 *       or a blank. The clock time may have no colons. Parts may be omitted from the right. Without
 *       an offset the time is in the zone
 *   <li>a month: {@code 2016-05}, {@code 2016/05}
 *   <li>digits: {@code 20160516090000}; pairs of digits may be omitted from the right
 *   <li>{@code now}, {@code today}, {@code yesterday 9:00}: days begin at midnight in the zone
 *   <li>{@code -90m}, {@code now-90m}, {@code -7d}, {@code -2h30m}: this duration before now; a day
 *       is 24 hours
 *   <li>{@code -1M}, {@code -1y6M}: the same clock time in the zone, months or years ago
 *   <li>{@code @1463356800.5}: seconds since 1970 UTC
 * </ul>
 *
 * <p>A time that is cut short is its begin, both as the begin and as the end of a range.
 *
 * <p>The implementations have their own {@code toString}, because picocli calls it, and linking the
 * generated one takes 10 to 20 ms.
 */
public sealed interface TimeArgument {

  /**
   * The end of a range that a time is for. It selects the instant if a clock that was set back
   * showed the time twice.
   */
  enum Bound {
    /** The earlier of two instants. */
    FROM,
    /** The later of two instants. */
    TO
  }

  /** The accepted forms, for help. */
  String FORMS =
      "2016-05-16T09:00:00.5+09:00 (cut short, and without offset in the output zone),"
          + " 2016-05-16 09:00, 2016/05/16, 05/16/2016 09:00, 20160516T0900, 20160516090000,"
          + " 2016-05, now, today, yesterday 9:00, now-1h, -90m, -7d, -2h30m, -1M, -1y (months and"
          + " years of the calendar), @1463356800.5 (seconds since 1970 UTC)";

  /** Some of the forms, for messages. */
  String EXAMPLES = "2016-05-16T09:00, 20160516, 'yesterday 9:00' or -1h";

  /**
   * Returns the instant.
   *
   * @param zone the zone of a time without offset
   * @param now the present time
   * @return nanoseconds since 1970 UTC
   * @throws IllegalArgumentException if the instant is outside of the range of 64-bit nanoseconds
   */
  long nanos(ZoneId zone, Instant now, Bound bound);

  /**
   * Parses a time.
   *
   * @throws IllegalArgumentException if the text is not a time; the message has the reason and
   *     examples
   */
  static TimeArgument parse(String text) {
    return TimeParser.parse(text);
  }

  /** A date and time of day. */
  record Absolute(LocalDateTime dateTime, @Nullable ZoneOffset offset) implements TimeArgument {
    @Override
    public long nanos(ZoneId zone, Instant now, Bound bound) {
      return epochNanos(
          offset != null ? dateTime.toInstant(offset) : instant(dateTime, zone, bound));
    }

    @Override
    public String toString() {
      return offset == null ? dateTime.toString() : dateTime.toString() + offset;
    }
  }

  /**
   * A clock time of today or of a day before.
   *
   * @param nanoOfDay nanoseconds that a clock shows since midnight
   */
  record Day(int daysAgo, long nanoOfDay) implements TimeArgument {
    @Override
    public long nanos(ZoneId zone, Instant now, Bound bound) {
      LocalDate today = LocalDate.ofInstant(now, zone);
      LocalDateTime midnight = today.minusDays(daysAgo).atStartOfDay();
      return epochNanos(instant(midnight.plusNanos(nanoOfDay), zone, bound));
    }

    @Override
    public String toString() {
      return Duration.ofNanos(nanoOfDay) + " of " + daysAgo + " days before today";
    }
  }

  /** Months of the calendar and a duration before now. */
  record Ago(int months, Duration duration) implements TimeArgument {
    @Override
    public long nanos(ZoneId zone, Instant now, Bound bound) {
      Instant from =
          months == 0
              ? now
              : instant(LocalDateTime.ofInstant(now, zone).minusMonths(months), zone, bound);
      return epochNanos(from.minus(duration));
    }

    @Override
    public String toString() {
      return months + " months and " + duration + " before now";
    }
  }

  /** Formats an instant for a message: ISO 8601 with the zone's offset. */
  static String text(long nanos, ZoneId zone) {
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
        Instant.ofEpochSecond(0, nanos).atZone(zone));
  }

  private static Instant instant(LocalDateTime dateTime, ZoneId zone, Bound bound) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(dateTime);
    if (offsets.isEmpty()) {
      // No clock showed this time: take the instant at which the clocks were set forward
      ZoneOffsetTransition transition = zone.getRules().getTransition(dateTime);
      return transition.getInstant();
    }
    ZoneOffset offset =
        switch (bound) {
          case FROM -> offsets.get(0);
          case TO -> offsets.get(offsets.size() - 1);
        };
    return dateTime.toInstant(offset);
  }

  private static long epochNanos(Instant instant) {
    try {
      return EpochNanos.of(instant);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "time is outside of 1677 to 2262, the range of 64-bit nanoseconds: " + instant, e);
    }
  }
}
