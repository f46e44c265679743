package org.kblake.query.internal.plan;

import java.io.IOException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairSlot;

/**
 * A part of a plan that a block answers: segments of one pair that may hold the range.
 *
 * @param pair whose log the segments are of
 * @param block the block
 * @param fromSegment the first segment, as the block counts them
 * @param toSegment the segment behind the last
 */
public record StoredRange(PairSlot pair, Block block, int fromSegment, int toSegment)
    implements ReadRange {

  /** The part of a range that the range's events lie in, strays aside. */
  public TimeRange timesWithin(TimeRange range) throws IOException {
    return timesWithin(range, block, fromSegment, toSegment);
  }

  /**
   * The part of a range that the events of segments lie in, strays aside; of no length if there are
   * none. A block's chunks continue over all of its pairs: pages outside hold events of other
   * segments only.
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
