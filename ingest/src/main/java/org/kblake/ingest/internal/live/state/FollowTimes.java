package org.kblake.ingest.internal.live.state;

import java.util.concurrent.TimeUnit;
import org.kblake.ingest.internal.pace.RateLimit;

/**
 * Times of following that no user setting changes. Tests use shorter ones.
 *
 * @param responseLimitNanos the time without an answer after which a volume counts as unresponsive
 * @param retryNanos the time after which failed work is tried again
 * @param listingNanos the interval of listings that find new groups
 * @param time the clock of the I/O limit
 */
public record FollowTimes(
    long responseLimitNanos, long retryNanos, long listingNanos, RateLimit.Time time) {

  public static final FollowTimes DEFAULT =
      new FollowTimes(
          TimeUnit.SECONDS.toNanos(10),
          TimeUnit.SECONDS.toNanos(10),
          TimeUnit.SECONDS.toNanos(10),
          RateLimit.Time.REAL);

  private static final int CHECKS_WITHIN_LIMIT = 10;

  /** Returns the interval of checks for unresponsive volumes. */
  public long responseCheckNanos() {
    return responseLimitNanos / CHECKS_WITHIN_LIMIT;
  }
}
