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
 * Which segments of a block the raw log would have been read for.
 *
 * <p>A log may have milestones that are not in its index, or to which it gives other times, as a
 * damaged one has. A block has the log's; a reader of the raw log finds them only where the index
 * leads it there. If the clock was set back besides, or the time is far off, the two would look
 * into different segments, so the index decides for both.
 */
final class IndexedSegments {

  private final @Nullable PairLog log;
  private final TimeRange range;
  private @Nullable Set<Long> meeting;

  /** The milestone behind the one that was found last. */
  private int next;

  /**
   * @param log the pair; null if it cannot be read: then the block decides alone, as it does where
   *     reading the log fails later
   */
  IndexedSegments(@Nullable PairLog log, TimeRange range) {
    this.log = log;
    this.range = range;
  }

  /** Whether a segment, whose own span meets the range, counts. */
  boolean mayHold(StoredSegment segment) throws IOException {
    PairLog known = log;
    if (known == null) {
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

  /** Whether the index has a milestone at an offset; called for one segment after the other. */
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
