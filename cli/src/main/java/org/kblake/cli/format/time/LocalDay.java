package org.kblake.cli.format.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.kblake.core.internal.time.EpochNanos;

/**
 * The part of a local day, around the last instant requested, in which the zone's offset does not
 * change. Times come nearly sorted, so date and offset are worked out about once a day of data, and
 * an instant costs the digits of its time of day only. Not thread safe.
 */
final class LocalDay {

  private static final int NANOS_PER_SECOND = 1_000_000_000;
  private static final long SECONDS_PER_DAY = 86_400;

  private final ZoneRules rules;
  private long fromNanos = Long.MAX_VALUE;
  private long toNanos = Long.MIN_VALUE;
  private long midnightSecond;
  private LocalDate date = LocalDate.EPOCH;
  private ZoneOffset offset = ZoneOffset.UTC;

  /** Seconds since 1970 UTC, the first and the last at which the zone has this offset. */
  private long offsetFirst = Long.MAX_VALUE;

  private long offsetLast = Long.MIN_VALUE;

  LocalDay(ZoneId zone) {
    this.rules = zone.getRules();
  }

  /** Whether an instant lies in another part than the one before. */
  boolean isElsewhere(long nanos) {
    return nanos < fromNanos || nanos > toNanos;
  }

  /** Seconds of local time of day, as a clock shows it, of a second since 1970 UTC within. */
  int secondOfDay(long second) {
    return (int) (second - midnightSecond);
  }

  LocalDate date() {
    return date;
  }

  ZoneOffset offset() {
    return offset;
  }

  /** Makes this the part that an instant lies in. */
  void moveTo(long nanos) {
    long second = Math.floorDiv(nanos, NANOS_PER_SECOND);
    if (second < offsetFirst || second > offsetLast) {
      moveOffsetTo(Instant.ofEpochSecond(second));
    }
    long day = Math.floorDiv(second + offset.getTotalSeconds(), SECONDS_PER_DAY);
    date = LocalDate.ofEpochDay(day);
    midnightSecond = day * SECONDS_PER_DAY - offset.getTotalSeconds();
    // A window may reach past what a long of nanoseconds can say
    fromNanos = EpochNanos.nearest(Math.max(midnightSecond, offsetFirst), 0);
    toNanos =
        EpochNanos.nearest(
            Math.min(midnightSecond + SECONDS_PER_DAY - 1, offsetLast), NANOS_PER_SECOND - 1);
  }

  private void moveOffsetTo(Instant second) {
    offset = rules.getOffset(second);
    // The transition at this very instant is the one behind us
    ZoneOffsetTransition before = rules.previousTransition(second.plusNanos(1));
    ZoneOffsetTransition after = rules.nextTransition(second);
    offsetFirst = before == null ? Long.MIN_VALUE : before.toEpochSecond();
    offsetLast = after == null ? Long.MAX_VALUE : after.toEpochSecond() - 1;
  }
}
