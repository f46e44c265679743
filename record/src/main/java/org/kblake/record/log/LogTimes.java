package org.kblake.record.log;

import org.kblake.record.source.TimedLayout;

/** The times that a log can represent: seconds since 1990 in 32 bits. */
public final class LogTimes {

  static final long NANOS_PER_SECOND = 1_000_000_000;

  private static final long SECONDS = 1L << 32;

  /** Zero would say that there was no event. */
  private static final long FIRST_NANOS = TimedLayout.EPOCH_SECONDS * NANOS_PER_SECOND + 1;

  private static final long LAST_NANOS =
      (TimedLayout.EPOCH_SECONDS + SECONDS) * NANOS_PER_SECOND - 1;

  private LogTimes() {}

  /**
   * Returns the time, or the nearest one that a log can represent.
   *
   * @param nanos nanoseconds since 1970 UTC, such as those of a clock that was not set yet
   */
  public static long representable(long nanos) {
    return Math.max(FIRST_NANOS, Math.min(LAST_NANOS, nanos));
  }
}
