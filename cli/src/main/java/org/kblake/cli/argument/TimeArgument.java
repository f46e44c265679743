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
 * A time as a user may write it. The instant depends on the archive's zone and on the present time.
 *
 * <ul>
 *   <li>ISO 8601: {@code 2016-05-16T09:00:00.123456789+09:00}; parts may be omitted from the right;
 *       without an offset the time is in the archive's zone
 *   <li>digits: {@code 20160516090000}; pairs of digits may be omitted from the right
 *   <li>{@code now}, {@code today}, {@code yesterday}: days begin at midnight in the archive's zone
 *   <li>{@code -90m}, {@code -7d}, {@code -2h30m}: this duration before now; a day is 24 hours
 * </ul>
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

  /** The accepted forms, for messages and help. */
  String FORMS =
      "2016-05-16T09:00:00.5+09:00 (cut short, and without offset in the archive's zone),"
          + " 2016-05-16, 20160516090000 (cut short), now, today, yesterday, -90m, -7d, -2h30m";

  /**
   * Returns the instant.
   *
   * @param zone the archive's zone
   * @param now the present time
   * @return nanoseconds since 1970 UTC
   * @throws IllegalArgumentException if the instant is outside of the range of 64-bit nanoseconds
   */
  long nanos(ZoneId zone, Instant now, Bound bound);

  /**
   * Parses a time.
   *
   * @throws IllegalArgumentException if the text is not a time; the message has the reason and the
   *     accepted forms
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

  /** A whole number of days before the beginning of today. */
  record Day(int daysAgo) implements TimeArgument {
    @Override
    public long nanos(ZoneId zone, Instant now, Bound bound) {
      LocalDate today = LocalDate.ofInstant(now, zone);
      return epochNanos(instant(today.minusDays(daysAgo).atStartOfDay(), zone, bound));
    }

    @Override
    public String toString() {
      return daysAgo + " days before today";
    }
  }

  /** A duration before now. */
  record Ago(Duration duration) implements TimeArgument {
    @Override
    public long nanos(ZoneId zone, Instant now, Bound bound) {
      return epochNanos(now.minus(duration));
    }

    @Override
    public String toString() {
      return duration + " before now";
    }
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
