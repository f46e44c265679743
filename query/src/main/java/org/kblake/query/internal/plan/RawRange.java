package org.kblake.query.internal.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairSlot;

/**
 * A part of a plan that the raw log answers.
 *
 * @param pair the pair
 * @param log the pair as it was when the plan was made
 * @param fromOffset the first segment's milestone, bytes from the start of the log
 * @param toOffset where the segment behind the last begins, or the size of the log
 */
public record RawRange(PairSlot pair, PairLog log, long fromOffset, long toOffset)
    implements ReadRange {

  /**
   * The index's segments that can hold events of a range, as far as they are the range's. A range
   * that stands for segments of a block may begin at a milestone that the index misses. If the log
   * cannot be read to choose, more segments are given than may be needed: whoever reads them finds
   * out which of them count, or reports them as unavailable.
   */
  public List<IndexSegment> segmentsMeeting(TimeRange range) throws IOException {
    List<IndexSegment> chosen;
    try {
      chosen = log.segmentsMeeting(range);
    } catch (UnavailableException e) {
      chosen = log.segmentsThatMayMeet(range);
    }
    List<IndexSegment> segments = new ArrayList<>();
    for (IndexSegment segment : chosen) {
      long from = Math.max(segment.fromOffset(), fromOffset);
      long to = Math.min(segment.toOffset(), toOffset);
      if (from < to) {
        boolean whole = from == segment.fromOffset() && to == segment.toOffset();
        segments.add(whole ? segment : new IndexSegment(from, to, segment.earliestNanos()));
      }
    }
    return segments;
  }
}
