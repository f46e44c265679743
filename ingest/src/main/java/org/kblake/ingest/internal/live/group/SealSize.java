package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.util.List;
import org.kblake.core.internal.store.block.Block;

/**
 * The bytes of log that a group's next block needs so that its events take more space than its
 * metadata. Most channels of some groups are silent for hours. Blocks sealed by age alone would
 * hold one or two events of each channel, and would together be many times larger than one block.
 *
 * @param bytes the least bytes of log of the next block
 */
record SealSize(long bytes) {

  /** No minimum. */
  static final SealSize ANY = new SealSize(0);

  /**
   * Returns the bytes of log that would have enough events of a channel at the rate of the newest
   * block.
   *
   * @param blocks in log order
   * @param events the number of events of a channel that is enough
   */
  static SealSize of(List<Block> blocks, int events) throws IOException {
    if (blocks.isEmpty() || events == 0) {
      return ANY;
    }
    Block newest = blocks.get(blocks.size() - 1);
    double enough = (double) newest.chunks().count() * events;
    double found = Math.max(1, newest.summary().events());
    return new SealSize((long) (newest.summary().rawBytes() * enough / found));
  }
}
