package org.kblake.record.command;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Times of day of a zone. One that a change of the clock leaves out is later by this change. Not
 * for several threads.
 */
final class DailyTimes {

  private final List<LocalTime> times;
  private final ZoneId zone;
  private @Nullable Instant next;

  DailyTimes(List<LocalTime> times, ZoneId zone) {
    this.times = List.copyOf(times);
    this.zone = zone;
  }

  /** Returns whether one has passed since the last call. The first call returns false. */
  boolean isPassed(Instant now) {
    boolean isPassed = next != null && !now.isBefore(next);
    next = after(now); // anew each time, because the clock may have been set back
    return isPassed;
  }

  /** Returns the first one after an instant; null if there is none. */
  @Nullable Instant after(Instant now) {
    Instant first = null;
    ZonedDateTime local = now.atZone(zone);
    for (LocalTime time : times) {
      for (int days = 0; days <= 1; days++) {
        Instant each = local.toLocalDate().plusDays(days).atTime(time).atZone(zone).toInstant();
        if (each.isAfter(now) && (first == null || each.isBefore(first))) {
          first = each;
        }
      }
    }
    return first;
  }
}
