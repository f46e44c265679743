package org.kblake.query.internal.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.store.block.Block;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.catalog.StoredStretch;

/**
 * Reads the lists of segments of blocks that a plan will look into, on its own thread while the
 * plan still opens pairs: for a year they take as long as everything else before the first event.
 * What cannot be read the plan will meet itself. Whoever starts it ends it.
 */
final class SegmentReadAhead implements Runnable {

  /** Fewer stretches are not worth a thread. */
  private static final int LEAST_STRETCHES = 3;

  private final List<StoredStretch> stretches;
  private volatile boolean ended;

  private SegmentReadAhead(List<StoredStretch> stretches) {
    this.stretches = stretches;
  }

  /**
   * Begins.
   *
   * @param pairs those that the plan will look into, in its order
   */
  static SegmentReadAhead of(List<PairSlot> pairs) {
    List<StoredStretch> unread = new ArrayList<>();
    for (PairSlot pair : pairs) {
      for (StoredStretch stretch : pair.stored()) {
        if (!stretch.block().hasSegments(stretch.number())) {
          unread.add(stretch);
        }
      }
    }
    SegmentReadAhead ahead = new SegmentReadAhead(unread);
    if (unread.size() >= LEAST_STRETCHES) {
      Thread thread = new Thread(ahead, "kblake-read-ahead");
      thread.setDaemon(true);
      thread.start();
    }
    return ahead;
  }

  @Override
  public void run() {
    for (StoredStretch stretch : stretches) {
      if (ended) {
        return;
      }
      try {
        Block block = stretch.block();
        block.segments(
            block.firstSegment(stretch.number()), block.firstSegment(stretch.number() + 1));
      } catch (IOException e) {
        // The plan continues without it, and says so.
      }
    }
  }

  /** Whatever is not read yet is left to the plan. */
  void end() {
    ended = true;
  }
}
