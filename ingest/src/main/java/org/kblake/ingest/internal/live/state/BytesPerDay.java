package org.kblake.ingest.internal.live.state;

import java.util.concurrent.TimeUnit;

/**
 * How many bytes a day took in the week that ends at the newest event: of logs, or of columns. What
 * is younger than a day counts as a day's: a group of one short pair does not grow by what the pair
 * would have had in a day.
 */
public final class BytesPerDay {

  private static final double DAY_NANOS = TimeUnit.DAYS.toNanos(1);
  private static final double WEEK_NANOS = 7 * DAY_NANOS;

  private final double fromNanos;
  private double bytes;
  private double nanos;

  /**
   * @param newestNanos time of the newest event, since 1970 UTC
   */
  public BytesPerDay(long newestNanos) {
    fromNanos = newestNanos - WEEK_NANOS;
  }

  /**
   * Adds a file. One that reaches into the week counts by the share of its time that does.
   *
   * @param size its bytes
   * @param firstNanos time of its first event
   * @param lastNanos time of its last event; earlier than the first one if there is none
   */
  public void add(long size, long firstNanos, long lastNanos) {
    if (firstNanos > lastNanos || lastNanos < fromNanos) {
      return;
    }
    double whole = (double) lastNanos - firstNanos;
    double within = lastNanos - Math.max((double) firstNanos, fromNanos);
    bytes += whole == 0 ? size : size * (within / whole);
    nanos += within;
  }

  /** Bytes of a day; 0 if there is nothing of the week. */
  public double bytesPerDay() {
    return bytes / Math.max(nanos, DAY_NANOS) * DAY_NANOS;
  }
}
