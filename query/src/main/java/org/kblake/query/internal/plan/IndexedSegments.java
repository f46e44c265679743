package org.kblake.query.internal.plan;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.model.TimeRange;

/**
 * Selects the segments of a block for which the raw log would have been read.
 *
 * <p>A log, such as a damaged one, may have milestones that its index lacks, or has with other
 * times. A block has the milestones of the log. A reader of the raw log finds only those to which
 * the index leads. If the clock was also set back, or the time is far off, the block and the raw
 * log would give different segments. So the index decides for both.
 */
final class IndexedSegments {

  private final @Nullable PairLog log;
  private final TimeRange range;
  private @Nullable Set<Long> meeting;

  /** The milestone after the one that was found last. */
  private int next;

  /**
   * @param log the pair; null if it cannot be read, so that only the block decides, as it does if a
   *     later read of the log fails
   */
  IndexedSegments(@Nullable PairLog log, TimeRange range) {
    this.log = log;
    this.range = range;
  }

  /** Returns whether a segment, whose span meets the range, would be read from the raw log. */
  boolean mayHold(StoredSegment segment) throws IOException {
    PairLog known = log;
    if (known == null || segment.endOffset() > known.logBytes()) {
      // Only the block has a segment that the log has lost.
      return true;
    }
    Milestones milestones = known.milestones();
    if (isMilestone(segment.startOffset(), milestones)
        && (segment.endOffset() >= known.logBytes()
            || isMilestone(segment.endOffset(), milestones))) {
      return mayMeet(known, segment);
    }
    Set<Long> starts = meeting;
    if (starts == null) {
      starts = new HashSet<>();
      try {
        for (IndexSegment each : known.segmentsMeeting(range)) {
          starts.add(each.fromOffset());
        }
      } catch (UnavailableException e) {
        return true;
      }
      meeting = starts;
    }
    int index = milestones.lastUpTo(segment.startOffset());
    return index < 0 || starts.contains(milestones.offset(index));
  }

  private boolean mayMeet(PairLog known, StoredSegment segment) {
    Milestones milestones = known.milestones();
    int i = milestones.indexOfOffset(segment.startOffset());
    while (i < milestones.count() && milestones.offset(i) < segment.endOffset()) {
      if (known.mayMeet(i++, range)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the index has a milestone at an offset. Called for the segments in their order.
   */
  private boolean isMilestone(long offset, Milestones milestones) {
    if (next > 0 && milestones.offset(next - 1) == offset) {
      return true;
    }
    if (next == milestones.count() || milestones.offset(next) != offset) {
      next = milestones.lastUpTo(offset);
      if (next < 0 || milestones.offset(next) != offset) {
        next++;
        return false;
      }
    }
    next++;
    return true;
  }
}
