package org.kblake.core.internal.log.pair;

import java.time.ZoneId;
import java.util.BitSet;
import java.util.List;
import org.kblake.core.log.PairName;

/**
 * The periods of the pairs of a group, as far as their names show them. A period includes all times
 * at which the pair may have been written, if the archiver's clock was right. In an hour that a
 * zone repeats, log order is not the order of time, and periods are longer.
 *
 * <p>A name is later than all before it. So one that lies a second after the last may be later than
 * its time: the clock was behind that name. Such a row of names says only that its pairs were
 * written after the begin of the pair before the row.
 */
public final class NamedPeriods {

  private static final long SECOND_NANOS = 1_000_000_000;

  /** A row of more names between two known ones is not found. */
  private static final long ROW_NANOS = 600 * SECOND_NANOS;

  private final long[] beginNanos;
  private final long[] earliestNanos;
  private final long[] endNanos;

  /**
   * @param names the names of a group's pairs in log order; each has a time
   */
  public NamedPeriods(List<PairName> names, ZoneId zone) {
    this(names, zone, new BitSet());
  }

  /**
   * @param names the names of some of a group's pairs in log order; each has a time
   * @param gaps the names before which there may be pairs that are not among them
   */
  public NamedPeriods(List<PairName> names, ZoneId zone, BitSet gaps) {
    beginNanos = new long[names.size()];
    long[] latest = new long[names.size()];
    for (int i = 0; i < names.size(); i++) {
      beginNanos[i] = names.get(i).beginNanos(zone);
      latest[i] = names.get(i).latestBeginNanos(zone);
    }
    earliestNanos = earliestNanos(beginNanos, latest, gaps);
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

  private static long[] earliestNanos(long[] begin, long[] latest, BitSet gaps) {
    long[] earliest = begin.clone();
    int row = 0;
    for (int i = 1; i < begin.length; i++) {
      long most = gaps.get(i) ? ROW_NANOS : SECOND_NANOS;
      if (begin[i] - begin[i - 1] > most && latest[i] - latest[i - 1] > most) {
        row = i;
      } else {
        earliest[row] = row == 0 ? Long.MIN_VALUE : begin[row - 1];
        earliest[i] = earliest[row];
      }
    }
    return earliest;
  }

  /** Returns the earliest time that a pair's name may mean. */
  public long beginNanos(int pair) {
    return beginNanos[pair];
  }

  /**
   * Returns the earliest time at which a pair may have been written; {@link Long#MIN_VALUE} if its
   * name shows none.
   */
  public long earliestNanos(int pair) {
    return earliestNanos[pair];
  }

  /**
   * Returns the latest time at which the pair after a pair may have been begun; {@link
   * Long#MAX_VALUE} if no pair was certainly begun after it.
   */
  public long endNanos(int pair) {
    return endNanos[pair];
  }
}
