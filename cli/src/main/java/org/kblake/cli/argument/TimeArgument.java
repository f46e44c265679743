package org.kblake.cli.argument;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.time.EpochNanos;

/**
 * A time as a user may write it; what it means is known once the zone and the present are.
 *
 * <ul>
 *   <li>ISO 8601: {@code 2016-05-16T09:00:00.123456789+09:00}, cut short on the right if wanted;
 *       without an offset the archive's zone counts
 *   <li>digits: {@code 20160516090000}, cut short on the right in twos
 *   <li>{@code now}, {@code today}, {@code yesterday}: the days begin in the archive's zone
 *   <li>{@code -90m}, {@code -7d}, {@code -2h30m}: this period before now; a day is 24 hours
 * </ul>
 */
public sealed interface TimeArgument {

  /** Which end of a range a time is: decides where a clock that was set back shows it twice. */
  enum Bound {
    /** The earlier of two instants. */
    FROM,
    /** The later of two instants. */
    TO
  }

  /** The forms, for messages and help. */
  String FORMS =
      "2016-05-16T09:00:00.5+09:00 (cut short, and without offset in the archive's zone),"
          + " 2016-05-16, 20160516090000 (cut short), now, today, yesterday, -90m, -7d, -2h30m";

  /**
   * The instant meant.
   *
   * @param zone the archive's zone
   * @param now the present
   * @return nanoseconds since 1970 UTC
   * @throws IllegalArgumentException if a long of nanoseconds cannot say it
   */
  long nanos(ZoneId zone, Instant now, Bound bound);

  /**
   * Reads a time.
   *
   * @throws IllegalArgumentException if the text is none; the message says why and what may be said
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
  }

  /** A whole number of days before the beginning of today. */
  record Day(int daysAgo) implements TimeArgument {
    @Override
    public long nanos(ZoneId zone, Instant now, Bound bound) {
      LocalDate today = LocalDate.ofInstant(now, zone);
      return epochNanos(instant(today.minusDays(daysAgo).atStartOfDay(), zone, bound));
    }
  }

  /** A stretch of time before now. */
  record Ago(Duration duration) implements TimeArgument {
    @Override
    public long nanos(ZoneId zone, Instant now, Bound bound) {
      return epochNanos(now.minus(duration));
    }
  }

  private static Instant instant(LocalDateTime dateTime, ZoneId zone, Bound bound) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(dateTime);
    if (offsets.isEmpty()) {
      // No clock showed this time: it means the moment at which the clocks were set forward.
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
