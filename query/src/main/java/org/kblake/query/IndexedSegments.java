package org.kblake.query;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.IndexSegment;
import org.kblake.core.log.Milestones;
import org.kblake.core.log.PairLog;
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

  /**
   * @param log the pair; null if it cannot be read: then the block decides alone
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
    boolean whole =
        milestones.indexOfOffset(segment.startOffset()) >= 0
            && (segment.endOffset() >= known.logBytes()
                || milestones.indexOfOffset(segment.endOffset()) >= 0);
    if (whole) {
      return true;
    }
    Set<Long> starts = meeting;
    if (starts == null) {
      starts = new HashSet<>();
      for (IndexSegment each : known.segmentsMeeting(range)) {
        starts.add(each.fromOffset());
      }
      meeting = starts;
    }
    int index = milestones.lastUpTo(segment.startOffset());
    return index < 0 || starts.contains(milestones.offset(index));
  }
}
