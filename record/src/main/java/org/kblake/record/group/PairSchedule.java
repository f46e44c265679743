package org.kblake.record.group;

import org.kblake.record.log.LogTiming;
import org.kblake.record.log.RecordClock;

/**
 * When the next pair of a group may begin: the first one when its channels are known, others not
 * too soon after the one before. For one thread at a time.
 */
final class PairSchedule {

  private static final long LEFT_NANOS = 1_000_000_000;

  private final RecordClock clock;
  private final LogTiming timing;
  private final long startedNanos;

  /** When a pair took the changes of the records. Rotations do not take them. */
  private long changedNanos;

  /** Whether the last pair was lost. */
  private boolean isLost;

  /** Whether the present pair, or the last one, replaced a lost one. */
  private boolean isReplaced;

  PairSchedule(GroupContext context) {
    clock = context.clock();
    timing = context.timing();
    startedNanos = clock.monotonicNanos();
  }

  /**
   * Returns whether a pair may begin while there is none. One is replaced at once, but one that
   * replaced another is not.
   */
  boolean mayBegin(PendingRecords records, boolean isFirst) {
    boolean isLearnt = records.areAllKnown() || untilLearntNanos() <= 0;
    boolean mayReplace = !isReplaced || untilChangeNanos() <= 0;
    return !records.names().isEmpty() && (isFirst ? isLearnt : mayReplace);
  }

  /** Returns the time for which the first pair waits for connections at most. */
  long untilLearntNanos() {
    return timing.learnNanos() - (clock.monotonicNanos() - startedNanos);
  }

  private long untilChangeNanos() {
    return timing.newPairNanos() - (clock.monotonicNanos() - changedNanos);
  }

  /**
   * Returns the time until a pair may take changes of the records. Channels that left are recorded
   * as disconnected before that.
   */
  long untilChangeNanos(LeavingChannels leaving) {
    long until = untilChangeNanos();
    boolean isLeft = !leaving.leftWithin(timing.newPairNanos(), clock.monotonicNanos());
    return until > 0 || isLeft ? until : LEFT_NANOS;
  }

  /** Notes that the pair is lost. */
  void lost() {
    isLost = true;
  }

  /** Notes that a pair has begun. */
  void begun() {
    isReplaced = isLost;
    isLost = false;
    changedNanos = clock.monotonicNanos();
  }
}
