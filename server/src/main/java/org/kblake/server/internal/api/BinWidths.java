package org.kblake.server.internal.api;

import java.time.Instant;
import java.time.ZoneId;
import org.kblake.core.model.TimeRange;

/**
 * The widths of bins for "at most N bins", and bins that are aligned to the clock of a zone. The
 * width is the smallest that is round and needs no more bins.
 */
final class BinWidths {

  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private static final long[] SECONDS = {1, 2, 5, 10, 20, 30};
  private static final long[] MINUTES = {1, 2, 5, 10, 15, 20, 30};
  private static final long[] HOURS = {1, 2, 3, 4, 6, 8, 12};
  private static final long[] DAYS = {1, 2, 4, 7, 14, 28};

  private BinWidths() {}

  /**
   * Returns the width for a number of bins, nanoseconds. If even the widest needs more bins, it is
   * a multiple of that.
   *
   * @param most the maximum number of bins, at least 1
   */
  static long atMost(TimeRange range, int most, ZoneId zone) {
    for (long width = 1; width < SECOND; width *= 10) {
      for (int step : new int[] {1, 2, 5}) {
        if (fits(range, most, step * width, zone)) {
          return step * width;
        }
      }
    }
    long[][] steps = {SECONDS, MINUTES, HOURS, DAYS};
    long[] units = {SECOND, MINUTE, HOUR, DAY};
    for (int i = 0; i < steps.length; i++) {
      for (long step : steps[i]) {
        if (fits(range, most, step * units[i], zone)) {
          return step * units[i];
        }
      }
    }
    long widest = DAYS[DAYS.length - 1] * DAY;
    long width = widest;
    while (!fits(range, most, width, zone) && width < Long.MAX_VALUE - widest) {
      width += widest;
    }
    return width;
  }

  private static boolean fits(TimeRange range, int most, long width, ZoneId zone) {
    return bins(range, width, zone) <= most;
  }

  /** Returns the number of aligned bins that the range needs; at most the greatest number. */
  static long bins(TimeRange range, long width, ZoneId zone) {
    long nanos = range.toNanos() - begin(range.fromNanos(), width, zone);
    long whole = nanos == 0 ? -1 : Long.divideUnsigned(nanos - 1, width);
    return nanos != 0 && whole < 0 || whole == Long.MAX_VALUE ? Long.MAX_VALUE : whole + 1;
  }

  /**
   * Returns the begin of the aligned bin that has a time: a multiple of the width since midnight,
   * at the offset that the zone has at this time.
   */
  static long begin(long nanos, long width, ZoneId zone) {
    long offset =
        zone.getRules().getOffset(Instant.ofEpochSecond(0, nanos)).getTotalSeconds() * SECOND;
    return Math.subtractExact(nanos, Math.floorMod(nanos + offset, width));
  }
}
