package org.kblake.query.internal.rollup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kblake.core.internal.store.block.Block;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.StoredRange;

/**
 * Ranges of a plan that follow each other and are read from one block.
 *
 * @param block the block
 * @param ranges the ranges, in log order
 */
public record BlockRanges(Block block, List<PlannedRange> ranges) {

  public BlockRanges {
    ranges = List.copyOf(ranges);
  }

  /** Returns the number of ranges from an index on that are read from one block; 0 for a log. */
  public static int length(List<PlannedRange> ranges, int from) {
    int to = from;
    while (to < ranges.size()
        && ranges.get(to).readRange() instanceof StoredRange stored
        && ranges.get(from).readRange() instanceof StoredRange first
        && stored.block().isSameAs(first.block())) {
      to++;
    }
    return to - from;
  }

  /** Returns the segments of the ranges: first and end of those that adjoin, ascending. */
  int[] segments() {
    int[] bounds = new int[2 * ranges.size()];
    int used = 0;
    for (PlannedRange range : ranges) {
      StoredRange stored = stored(range);
      if (used == 0 || bounds[used - 1] != stored.fromSegment()) {
        bounds[used++] = stored.fromSegment();
        used++;
      }
      bounds[used - 1] = stored.toSegment();
    }
    return Arrays.copyOf(bounds, used);
  }

  /** Returns what the ranges have of the segments from a first to a last one. */
  public List<PlannedRange> within(int firstSegment, int lastSegment) {
    List<PlannedRange> within = new ArrayList<>();
    for (PlannedRange range : ranges) {
      StoredRange stored = stored(range);
      int from = Math.max(firstSegment, stored.fromSegment());
      int to = Math.min(lastSegment + 1, stored.toSegment());
      if (from < to) {
        within.add(
            range.with(new StoredRange(stored.pair(), stored.block(), from, to), range.content()));
      }
    }
    return within;
  }

  /** Returns ranges for some of their channels. They report the absence of all. */
  public static List<PlannedRange> of(List<PlannedRange> ranges, List<ChannelTarget> channels) {
    List<PlannedRange> some = new ArrayList<>();
    for (PlannedRange range : ranges) {
      some.add(range.of(channels));
    }
    return some;
  }

  /** Returns the stored range of one of the ranges. */
  public static StoredRange stored(PlannedRange range) {
    if (range.readRange() instanceof StoredRange stored) {
      return stored;
    }
    throw new IllegalArgumentException("not in a block: " + range.readRange());
  }
}
