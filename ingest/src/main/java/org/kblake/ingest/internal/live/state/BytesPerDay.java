package org.kblake.ingest.internal.live.state;

import java.util.concurrent.TimeUnit;

/**
 * The bytes per day, of logs or of columns, in the week that ends at the newest event. A span of
 * less than a day counts as a day. Otherwise the rate of a group with one short pair would be too
 * high.
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
   * Adds a file. If a file begins before the week, only its share within the week counts.
   *
   * @param size bytes of the file
   * @param firstNanos time of its first event
   * @param lastNanos time of its last event; earlier than the first if there is none
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

  /** Returns the bytes per day; 0 if no file is in the week. */
  public double bytesPerDay() {
    return bytes / Math.max(nanos, DAY_NANOS) * DAY_NANOS;
  }
}
