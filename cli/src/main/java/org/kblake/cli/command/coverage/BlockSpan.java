package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.util.List;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.log.WriteTimes;

/**
 * A span of a pair's log in a block, without its segments. A year has 50,000 segments.
 *
 * @param block the block
 * @param span the number of the span in the block
 * @param times the times of its segments
 */
record BlockSpan(Block block, int span, WriteTimes times) implements TimedSpan {

  @Override
  public LogState state() {
    return LogState.COLUMNS;
  }

  @Override
  public long fromOffset() {
    return block.spans().get(span).fromOffset();
  }

  @Override
  public long toOffset() {
    return block.spans().get(span).toOffset();
  }

  /**
   * Returns the same span with the milestone interval of the whole pair. A span may have too few
   * segments to show it. Reads the list of segments.
   */
  BlockSpan withInterval(long intervalNanos, long boundNanos) throws IOException {
    List<StoredSegment> segments =
        block.listedSegments().stream().filter(each -> each.span() == span).toList();
    return new BlockSpan(block, span, StoredTimes.of(segments, boundNanos, intervalNanos));
  }

  /** Returns whether the pair was closed, and its log ends with this span. Reads the block. */
  boolean endsPair() throws IOException {
    PairImage.Closing closing = block.pairs().get(span).closing();
    return closing != null && closing.logBytes() == toOffset();
  }
}
