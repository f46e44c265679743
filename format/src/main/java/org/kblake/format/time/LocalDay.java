package org.kblake.format.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.kblake.core.model.EpochNanos;

/**
 * The part of a local day around the last instant in which the zone's offset does not change. Times
 * are nearly sorted, so date and offset are computed about once per day of data. For each instant
 * only the time of day is formatted. Not thread safe.
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

  /** The first and the last second since 1970 UTC at which the zone has this offset. */
  private long offsetFirst = Long.MAX_VALUE;

  private long offsetLast = Long.MIN_VALUE;

  LocalDay(ZoneId zone) {
    this.rules = zone.getRules();
  }

  /** Returns whether an instant is outside of the current part. */
  boolean isOutside(long nanos) {
    return nanos < fromNanos || nanos > toNanos;
  }

  /** Returns the second of the local day of a second since 1970 UTC in the current part. */
  int secondOfDay(long second) {
    return (int) (second - midnightSecond);
  }

  LocalDate date() {
    return date;
  }

  ZoneOffset offset() {
    return offset;
  }

  /** Moves to the part that contains an instant. */
  void moveTo(long nanos) {
    long second = Math.floorDiv(nanos, NANOS_PER_SECOND);
    if (second < offsetFirst || second > offsetLast) {
      moveOffsetTo(Instant.ofEpochSecond(second));
    }
    long day = Math.floorDiv(second + offset.getTotalSeconds(), SECONDS_PER_DAY);
    date = LocalDate.ofEpochDay(day);
    midnightSecond = day * SECONDS_PER_DAY - offset.getTotalSeconds();
    // The part may exceed the range of 64-bit nanoseconds
    fromNanos = EpochNanos.nearest(Math.max(midnightSecond, offsetFirst), 0);
    toNanos =
        EpochNanos.nearest(
            Math.min(midnightSecond + SECONDS_PER_DAY - 1, offsetLast), NANOS_PER_SECOND - 1);
  }

  private void moveOffsetTo(Instant second) {
    offset = rules.getOffset(second);
    // A transition at this instant is the previous one
    ZoneOffsetTransition before = rules.previousTransition(second.plusNanos(1));
    ZoneOffsetTransition after = rules.nextTransition(second);
    offsetFirst = before == null ? Long.MIN_VALUE : before.toEpochSecond();
    offsetLast = after == null ? Long.MAX_VALUE : after.toEpochSecond() - 1;
  }
}
