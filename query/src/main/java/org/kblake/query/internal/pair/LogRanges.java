package org.kblake.query.internal.pair;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.pair.LostMilestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.TimeSpan;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.log.LogSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.catalog.PairSnapshotCache;

/**
 * Divides a pair whose index can be read into ranges: stored, raw, and lost. A log has lost its end
 * if its index leads behind it, or if a block has more of it, and what is lost is in no block.
 */
final class LogRanges {

  private final PairSlot slot;
  private final PairLog log;
  private final MissingRanges missing;
  private final List<PairRange> pairRanges = new ArrayList<>();

  /** The end of the ranges so far. */
  private long reachedOffset;

  private boolean endLost;

  LogRanges(PairSlot slot, PairLog log, MissingRanges missing) {
    this.slot = slot;
    this.log = log;
    this.missing = missing;
  }

  /** Returns the end of the ranges so far, bytes from the start of the log. */
  long reachedOffset() {
    return reachedOffset;
  }

  List<PairRange> pairRanges() {
    return pairRanges;
  }

  /** Returns whether the log has become shorter than its columns. */
  boolean isShorterThanColumns() {
    return log.closed() && reachedOffset > log.logBytes();
  }

  /**
   * Returns the end of the pair, bytes from the start of its log; {@link Long#MAX_VALUE} if it is
   * unknown, because the pair is open or its end is lost.
   */
  long closedAtOffset() {
    return log.closed() && !endLost ? Math.max(log.logBytes(), reachedOffset) : Long.MAX_VALUE;
  }

  /** Adds a stored range, and before it what lies between it and the range before. */
  void add(PairRange.Stored pairRange, LogSpan span) {
    addRaw(span.fromOffset());
    long lostFrom = Math.max(reachedOffset, log.logBytes());
    if (span.fromOffset() > lostFrom) {
      addLost(log.behindEnd().within(lostFrom, span.fromOffset()), span.fromOffset());
    }
    pairRanges.add(pairRange);
    reachedOffset = span.toOffset();
  }

  /**
   * Adds what is behind the last stored range.
   *
   * @param endsPair whether that range is known to end with the pair
   * @param copied the copy that shows that more was there; null if there is none
   */
  void end(boolean endsPair, PairSnapshotCache.@Nullable Shortened copied) throws IOException {
    addRaw(log.logBytes());
    if (copied != null && !endsPair) {
      endLost = true;
      PairLog longer = copied.longer();
      TimeSpan times = timesBehind();
      TimeSpan copy = longer.lostTimes(longer.logBytes(), Long.MAX_VALUE, slot.endNanos());
      times = times.and(Math.max(times.toNanos(), copy.toNanos()));
      missing.addLost(pairRanges, SpanKind.DAMAGED, times, slot.logPath(), copied.text());
      return;
    }
    LostMilestones lost = log.behindEnd().within(reachedOffset, Long.MAX_VALUE);
    if (!lost.isEmpty()) {
      addLost(lost, Long.MAX_VALUE);
    } else if (isShorterThanColumns() && !endsPair) {
      endLost = true;
      missing.addLost(pairRanges, SpanKind.DAMAGED, timesBehind(), slot.logPath(), shorter());
    }
  }

  private void addRaw(long toOffset) {
    long end = Math.min(toOffset, log.logBytes());
    if (reachedOffset < end) {
      pairRanges.add(new PairRange.Raw(log, reachedOffset, end));
      reachedOffset = end;
    }
  }

  /** Describes that the log is shorter than its columns. */
  String shorter() {
    return log.pair().lacksOfColumns(log.fileState().log().bytes(), reachedOffset);
  }

  /** Adds what is lost from the end of the ranges so far, or of the log, to a milestone. */
  private void addLost(LostMilestones lost, long toOffset) {
    endLost = toOffset == Long.MAX_VALUE;
    if (endLost
        && !log.closed()
        && (log.growing() || log.provisional() || log.onlyCopy() != null)) {
      // The end of the report shows that the log may lag behind its index.
      return;
    }
    TimeSpan times =
        log.lostTimes(Math.max(reachedOffset, log.logBytes()), toOffset, slot.endNanos());
    missing.addLost(
        pairRanges,
        log.closed() ? SpanKind.DAMAGED : SpanKind.PENDING,
        times,
        slot.logPath(),
        log.closed()
            ? lost.toString()
            : "a part of the pair is not written yet: pair=" + slot.group() + " " + slot.stamp());
  }

  /** Returns the times that events behind the last stored range may have. */
  private TimeSpan timesBehind() throws IOException {
    TimeSpan times = log.lostTimes(log.logBytes(), Long.MAX_VALUE, slot.endNanos());
    if (!pairRanges.isEmpty()
        && pairRanges.get(pairRanges.size() - 1) instanceof PairRange.Stored stored) {
      try {
        StoredSegment last = stored.block().segment(stored.toSegment() - 1);
        long known = Math.max(last.milestoneNanos(), last.lastNanos());
        return TimeSpan.at(known).and(Math.max(known, times.toNanos()));
      } catch (CorruptBlockException e) {
        // The reader of the block reports the error.
      }
    }
    return times;
  }
}
