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
 * A range of a plan that is read from the raw log.
 *
 * @param pair the pair
 * @param log the snapshot of the pair when the plan was made
 * @param fromOffset the first segment's milestone, bytes from the start of the log
 * @param toOffset the begin of the segment after the last, or the size of the log
 */
public record RawRange(PairSlot pair, PairLog log, long fromOffset, long toOffset)
    implements ReadRange {

  @Override
  public long beginOffset() {
    return fromOffset;
  }

  @Override
  public long bytes() {
    return toOffset - fromOffset;
  }

  /**
   * Returns the segments of the index that can have events of a range, cut to this raw range. A raw
   * range in place of a block's segments may begin at a milestone that the index lacks. If the log
   * cannot be read to select segments, more segments are returned than may be needed. Their reader
   * finds which of them count, or reports them as unavailable.
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
