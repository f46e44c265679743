package org.kblake.core.internal.log.pair;

import java.time.ZoneId;
import java.util.List;
import org.kblake.core.log.PairName;

/**
 * The periods of the pairs of a group, as far as their names show them. A period includes all times
 * at which the pair may have been written, if the archiver's clock was right. In an hour that a
 * zone repeats, log order is not the order of time, and periods are longer.
 */
public final class NamedPeriods {

  private final long[] beginNanos;
  private final long[] endNanos;

  /**
   * @param names the names of a group's pairs in log order; each has a time
   */
  public NamedPeriods(List<PairName> names, ZoneId zone) {
    beginNanos = new long[names.size()];
    long[] latest = new long[names.size()];
    for (int i = 0; i < names.size(); i++) {
      beginNanos[i] = names.get(i).beginNanos(zone);
      latest[i] = names.get(i).latestBeginNanos(zone);
    }
    endNanos = new long[names.size()];
    int follower = 0;
    for (int i = 0; i < names.size(); i++) {
      follower = Math.max(follower, i + 1);
      while (follower < names.size() && beginNanos[follower] < latest[i]) {
        follower++;
      }
      endNanos[i] = follower < names.size() ? latest[follower] : Long.MAX_VALUE;
    }
  }

  /** Returns the earliest time at which a pair may have been begun. */
  public long beginNanos(int pair) {
    return beginNanos[pair];
  }

  /**
   * Returns the latest time at which the pair after a pair may have been begun; {@link
   * Long#MAX_VALUE} if no pair was certainly begun after it.
   */
  public long endNanos(int pair) {
    return endNanos[pair];
  }
}
