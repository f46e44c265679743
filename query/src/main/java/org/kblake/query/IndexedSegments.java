package org.kblake.query;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.IndexSegment;
import org.kblake.core.log.Milestones;
import org.kblake.core.log.PairLog;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.StoredSegment;

/**
 * Which segments of a block the raw log would have been read for.
 *
 * <p>A log may have milestones that its index does not know. A block has made segments of them; a
 * reader of the raw log finds them only where the index leads it there. If the clock was set back
 * besides, the two would look into different segments, so the index decides for both.
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
      return true;
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

  /** Whether the index knows a milestone at an offset; asked for one segment behind the other. */
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
