package org.kblake.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.store.Block;

/**
 * Reads the lists of segments of blocks that a plan will look into, on a thread of its own while
 * the plan still opens pairs: for a year they take as long as everything else before the first
 * event. What cannot be read the plan will meet itself. Whoever starts it ends it.
 */
final class SegmentReadAhead implements Runnable {

  /** Fewer blocks are not worth a thread. */
  private static final int LEAST_BLOCKS = 3;

  private final List<Block> blocks;
  private volatile boolean ended;

  private SegmentReadAhead(List<Block> blocks) {
    this.blocks = blocks;
  }

  /**
   * Begins.
   *
   * @param pairs those that the plan will look into, in its order
   */
  static SegmentReadAhead of(List<PairSlot> pairs) {
    List<Block> unread = new ArrayList<>();
    Block last = null;
    for (PairSlot pair : pairs) {
      for (StoredStretch stretch : pair.stored()) {
        Block block = stretch.block();
        if (block != last && !block.hasSegments()) {
          unread.add(block);
        }
        last = block;
      }
    }
    SegmentReadAhead ahead = new SegmentReadAhead(unread);
    if (unread.size() >= LEAST_BLOCKS) {
      Thread thread = new Thread(ahead, "kblake-read-ahead");
      thread.setDaemon(true);
      thread.start();
    }
    return ahead;
  }

  @Override
  public void run() {
    for (Block block : blocks) {
      if (ended) {
        return;
      }
      try {
        block.segments();
      } catch (IOException e) {
        // The plan goes on without it, and says so.
      }
    }
  }

  /** Whatever is not read yet is left to the plan. */
  void end() {
    ended = true;
  }
}
