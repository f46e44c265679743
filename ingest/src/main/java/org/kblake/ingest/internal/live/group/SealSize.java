package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.util.List;
import org.kblake.core.internal.store.block.Block;

/**
 * How much log a group's next block needs so that its events outweigh what says where they are.
 * Most channels of some groups are silent for hours: blocks made of them by age would hold an event
 * or two of a channel each, and be many times as large together as one.
 *
 * @param bytes of log that the next block needs at least
 */
record SealSize(long bytes) {

  /** Whatever there is is enough. */
  static final SealSize ANY = new SealSize(0);

  /**
   * Goes by the newest block: what its log would have to be for enough events of a channel.
   *
   * @param blocks in log order
   * @param events of a channel that are enough
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
