package org.kblake.query.internal.plan;

import java.io.IOException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairSlot;

/**
 * A range of a plan that is read from a block: segments of one pair that may have events of the
 * range.
 *
 * @param pair the pair of the segments
 * @param block the block
 * @param fromSegment the number of the first segment in the block
 * @param toSegment the number after the last segment
 */
public record StoredRange(PairSlot pair, Block block, int fromSegment, int toSegment)
    implements ReadRange {

  @Override
  public long beginOffset() throws IOException {
    return block.segment(fromSegment).startOffset();
  }

  @Override
  public long bytes() throws IOException {
    long bytes = 0;
    for (StoredSegment segment : block.segments(fromSegment, toSegment)) {
      bytes += segment.bytes();
    }
    return bytes;
  }

  /** Returns the times of a range in which the events of this stored range are, except strays. */
  public TimeRange timesWithin(TimeRange range) throws IOException {
    return timesWithin(range, block, fromSegment, toSegment);
  }

  /**
   * Returns the times of a range in which the events of segments are, except strays; its length is
   * 0 if there are none. A block's chunks continue over all of its pairs. Pages outside of the
   * returned range have events of other segments only.
   */
  public static TimeRange timesWithin(TimeRange range, Block block, int fromSegment, int toSegment)
      throws IOException {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (StoredSegment segment : block.segments(fromSegment, toSegment)) {
      first = Math.min(first, segment.firstNanos());
      last = Math.max(last, segment.lastNanos());
    }
    long start = Math.max(range.fromNanos(), first);
    long end = Math.min(range.toNanos(), EpochNanos.plus(last, 1));
    return new TimeRange(start, Math.max(start, end));
  }
}
