package org.kblake.query.internal.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.store.block.Block;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.catalog.StoredSpan;

/**
 * Reads the segment lists of blocks for a plan, on its own thread, while the plan still opens
 * pairs. For a year, the lists take half of the time before the first event. The plan finds read
 * errors itself. The caller calls {@link #end}.
 */
final class SegmentReadAhead implements Runnable {

  /** The least number of spans for which a thread is started. */
  private static final int MIN_SPANS = 3;

  private final List<StoredSpan> spans;
  private volatile boolean ended;

  private SegmentReadAhead(List<StoredSpan> spans) {
    this.spans = spans;
  }

  /**
   * Begins to read.
   *
   * @param pairs the pairs of the plan, in its order
   */
  static SegmentReadAhead of(List<PairSlot> pairs) {
    List<StoredSpan> unread = new ArrayList<>();
    for (PairSlot pair : pairs) {
      for (StoredSpan stored : pair.stored()) {
        if (!stored.block().hasSegments(stored.number())) {
          unread.add(stored);
        }
      }
    }
    SegmentReadAhead ahead = new SegmentReadAhead(unread);
    if (unread.size() >= MIN_SPANS) {
      Thread thread = new Thread(ahead, "kblake-read-ahead");
      thread.setDaemon(true);
      thread.start();
    }
    return ahead;
  }

  @Override
  public void run() {
    for (StoredSpan stored : spans) {
      if (ended) {
        return;
      }
      try {
        Block block = stored.block();
        block.segments(
            block.firstSegment(stored.number()), block.firstSegment(stored.number() + 1));
      } catch (IOException e) {
        // The plan reports the error.
      }
    }
  }

  /** Ends the reading. The plan reads the rest itself. */
  void end() {
    ended = true;
  }
}
