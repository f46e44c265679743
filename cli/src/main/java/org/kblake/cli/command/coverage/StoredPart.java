package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.util.List;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;

/**
 * A stretch of a pair's log in a block, without its segments. A year has 50,000 segments.
 *
 * @param block the block
 * @param stretch the number of the stretch in the block
 * @param beginNanos the time of its first milestone
 * @param lastWriteNanos the time of its last event or milestone
 * @param endNanos the time up to which the log is known if more of it follows
 * @param silenceNanos the longest time between writes of a running archiver
 * @param written the times in which the archiver was not down, up to the last write
 * @param damaged the times of its segments with damaged bytes
 */
record StoredPart(
    Block block,
    int stretch,
    long beginNanos,
    long lastWriteNanos,
    long endNanos,
    long silenceNanos,
    List<StateSpan> written,
    List<StateSpan> damaged) {

  StoredPart {
    written = List.copyOf(written);
    damaged = List.copyOf(damaged);
  }

  long fromOffset() {
    return block.stretches().get(stretch).fromOffset();
  }

  long toOffset() {
    return block.stretches().get(stretch).toOffset();
  }

  /** Returns whether the pair was closed, and its log ends with this part. Reads the block. */
  boolean endsPair() throws IOException {
    PairImage.Closing closing = block.pairs().get(stretch).closing();
    return closing != null && closing.logBytes() == toOffset();
  }
}
