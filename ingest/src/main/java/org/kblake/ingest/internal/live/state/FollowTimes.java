package org.kblake.ingest.internal.live.state;

import java.util.concurrent.TimeUnit;

/**
 * How long following waits where no setting says so. A user cannot change it; tests take less.
 *
 * @param silenceNanos a question that has no answer after so long asks a silent volume
 * @param retryNanos work that failed is tried again after so long
 * @param listingNanos how often new groups are looked for
 */
public record FollowTimes(long silenceNanos, long retryNanos, long listingNanos) {

  public static final FollowTimes DEFAULT =
      new FollowTimes(
          TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(10));

  private static final int LOOKS_FOR_SILENCE = 10;

  /** How often it is looked for questions that have no answer. */
  public long lookForSilenceNanos() {
    return silenceNanos / LOOKS_FOR_SILENCE;
  }
}
