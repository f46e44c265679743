package org.kblake.query.internal.plan;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.pair.PairContent;

/**
 * Decides whether a pair's record table counts for a range, if no segment of the pair is read. The
 * milestones of the index decide. If the log cannot be read and blocks have all of it, the blocks'
 * milestones decide. They are the same.
 */
final class RecordTablePeriod {

  /** The milestone interval that is assumed if it is unknown. */
  private static final long UNREAD_INTERVAL_NANOS = TimeUnit.HOURS.toNanos(1);

  /** The precision of a pair's stamp, which is its begin truncated to seconds. */
  private static final long STAMP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long disorderBoundNanos;

  RecordTablePeriod(long disorderBoundNanos) {
    this.disorderBoundNanos = disorderBoundNanos;
  }

  boolean meets(PairContent content, TimeRange range) throws IOException {
    PairLog log = content.log();
    if (log != null) {
      return log.mayMeet(range);
    }
    TimeRange times = timesOf(content);
    return range.meets(times.fromNanos(), times.toNanos());
  }

  private TimeRange timesOf(PairContent content) throws IOException {
    try {
      return storedTimes(content);
    } catch (CorruptBlockException e) {
      // The reader of the block reports the error.
      return unreadTimes(content.slot(), content.intervalNanos());
    }
  }

  /**
   * Returns the times of a pair that is completely in blocks, as its index would give them. If a
   * clock was set back, these are all times, because the index excludes no segment then.
   */
  private TimeRange storedTimes(PairContent content) throws IOException {
    long offset = 0;
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (PairRange pairRange : content.pairRanges()) {
      if (!(pairRange instanceof PairRange.Stored stored)) {
        continue;
      }
      for (StoredSegment segment :
          stored.block().segments(stored.fromSegment(), stored.toSegment())) {
        if (segment.startOffset() != offset) {
          return unreadTimes(content.slot(), content.intervalNanos());
        }
        if (segment.milestoneNanos() < last) {
          return TimeRange.ALL;
        }
        offset = segment.endOffset();
        first = Math.min(first, segment.milestoneNanos());
        last = segment.milestoneNanos();
      }
    }
    if (offset == 0 || offset != content.closedAtOffset()) {
      return unreadTimes(content.slot(), content.intervalNanos());
    }
    return EpochNanos.around(
        first,
        reach(Math.max(last, content.slot().endNanos()), content.intervalNanos()),
        disorderBoundNanos);
  }

  /**
   * Returns the times of a pair that is not completely known. Its segments may be anywhere in its
   * period.
   */
  private TimeRange unreadTimes(PairSlot slot, long intervalNanos) {
    long interval = intervalNanos > 0 ? intervalNanos : UNREAD_INTERVAL_NANOS;
    return EpochNanos.around(
        Math.min(slot.beginNanos(), slot.endNanos()),
        reach(Math.max(slot.beginNanos(), slot.endNanos()), interval),
        disorderBoundNanos);
  }

  /**
   * Returns the end of a pair whose last milestone has a time. The last segment may continue for
   * two milestone intervals.
   */
  private static long reach(long nanos, long intervalNanos) {
    return EpochNanos.plus(
        EpochNanos.plus(EpochNanos.plus(nanos, STAMP_NANOS), intervalNanos), intervalNanos);
  }
}
