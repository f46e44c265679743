package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.util.List;
import org.kblake.core.internal.log.writes.WriteTimes;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.StoredSegment;

/**
 * A stretch of a pair's log in a block, without its segments. A year has 50,000 segments.
 *
 * @param block the block
 * @param stretch the number of the stretch in the block
 * @param times the times of its segments
 */
record StoredPart(Block block, int stretch, WriteTimes times) implements LogPart {

  @Override
  public LogState state() {
    return LogState.COLUMNS;
  }

  @Override
  public long fromOffset() {
    return block.spans().get(stretch).fromOffset();
  }

  @Override
  public long toOffset() {
    return block.spans().get(stretch).toOffset();
  }

  /**
   * Returns the same part with the milestone interval of the whole pair. A part may have too few
   * segments to show it. Reads the list of segments.
   */
  StoredPart withInterval(long intervalNanos, long boundNanos) throws IOException {
    List<StoredSegment> segments =
        block.listedSegments().stream().filter(each -> each.span() == stretch).toList();
    return new StoredPart(block, stretch, StoredTimes.of(segments, boundNanos, intervalNanos));
  }

  /** Returns whether the pair was closed, and its log ends with this part. Reads the block. */
  boolean endsPair() throws IOException {
    PairImage.Closing closing = block.pairs().get(stretch).closing();
    return closing != null && closing.logBytes() == toOffset();
  }
}
