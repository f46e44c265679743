package org.kblake.core.store;

import java.io.IOException;
import org.kblake.core.internal.log.scan.PairFormat;
import org.kblake.core.internal.store.CutLogs;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogSpan;
import org.kblake.core.log.WriteTimes;
import org.kblake.core.model.EpochNanos;

/** What a block has of a pair beside the events. */
public final class StoredPair {

  private static final long OPEN = -1;

  private final Block block;
  private final int number;
  private final PairImage image;
  private final long boundNanos;

  /** The size of the log if the pair was closed and had lost nothing. */
  private final long closedBytes;

  StoredPair(Block block, int number, PairImage image, long boundNanos) {
    this.block = block;
    this.number = number;
    this.image = image;
    this.boundNanos = boundNanos;
    PairImage.Closing closing = image.closing();
    // A log that had lost its end does not say how the pair ended.
    closedBytes =
        closing == null || !CutLogs.of(block, image, LogLayout.installed()).isEmpty()
            ? OPEN
            : closing.logBytes();
  }

  /** Returns the bytes of the log that the block has. */
  public LogSpan span() {
    return block.spans().get(number);
  }

  /**
   * Returns the record table.
   *
   * @throws IOException if it cannot be decoded
   */
  public RecordTable records() throws IOException {
    return PairFormat.decode(block.directory(), image.indexHead(), LogLayout.installed()).records();
  }

  /** Returns whether the pair was closed, and its log ends with a span. */
  public boolean closesWith(LogSpan wanted) {
    return closedBytes == wanted.toOffset();
  }

  /**
   * Returns the times of writes of a span.
   *
   * @param wanted bytes of {@link #span}, in whole segments
   */
  public WriteTimes times(LogSpan wanted) throws IOException {
    WriteTimes.Builder times = new WriteTimes.Builder(image.milestoneIntervalNanos());
    boolean empty = true;
    for (StoredSegment segment :
        block.segments(block.firstSegment(number), block.firstSegment(number + 1))) {
      if (segment.startOffset() >= wanted.fromOffset()
          && segment.endOffset() <= wanted.toOffset()) {
        empty = false;
        times.add(
            segment.milestoneNanos(),
            segment.firstNanos(),
            segment.lastNanos(),
            EpochNanos.minus(segment.spanToNanos(), boundNanos),
            segment.endOffset() == closedBytes);
        if (segment.damagedBytes() > 0) {
          times.addDamaged(segment.spanFromNanos(), segment.spanToNanos());
        }
      }
    }
    if (empty) {
      throw new IOException(
          "block has no segment of a stretch: block=" + block.directory() + ", stretch=" + wanted);
    }
    return times.build();
  }
}
