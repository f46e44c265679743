package org.kblake.lake.facts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.writes.WriteTimes;
import org.kblake.core.internal.store.CutLogs;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.LogSpan;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.lake.table.DataName;

/** Finds the times of writes of a span of a block. */
final class PublishedSpanReader {

  private PublishedSpanReader() {}

  /**
   * Reads the times of a span.
   *
   * @param span the number of the span in the block
   * @param wanted the bytes of it, in whole segments
   * @param image what the block stores of its pair
   * @param boundNanos the archive's disorder bound
   */
  static PublishedSpan read(Block block, int span, LogSpan wanted, PairImage image, long boundNanos)
      throws IOException {
    PairImage.Closing closing = image.closing();
    // A log that had lost its end does not say how the pair ended.
    boolean closes =
        closing != null
            && closing.logBytes() == wanted.toOffset()
            && CutLogs.of(block, image, ArchiveSettings.defaults().layouts()).isEmpty();
    WriteTimes.Builder builder = new WriteTimes.Builder(image.milestoneIntervalNanos());
    boolean empty = true;
    for (StoredSegment segment :
        block.segments(block.firstSegment(span), block.firstSegment(span + 1))) {
      if (segment.startOffset() >= wanted.fromOffset()
          && segment.endOffset() <= wanted.toOffset()) {
        empty = false;
        builder.add(
            segment.milestoneNanos(),
            segment.firstNanos(),
            segment.lastNanos(),
            EpochNanos.minus(segment.spanToNanos(), boundNanos),
            closes && segment.endOffset() == wanted.toOffset());
        if (segment.damagedBytes() > 0) {
          builder.addDamaged(segment.spanFromNanos(), segment.spanToNanos());
        }
      }
    }
    if (empty) {
      throw new IOException(
          "block has no segment of a stretch: block=" + block.directory() + ", stretch=" + wanted);
    }
    WriteTimes times = builder.build();
    return new PublishedSpan(
        DataName.block(block),
        wanted.stamp(),
        wanted.fromOffset(),
        wanted.toOffset(),
        times.beginNanos(),
        times.lastWriteNanos(),
        closes ? times.lastWriteNanos() : times.endNanos(),
        times.silenceNanos(),
        closes,
        spans(times.written()),
        spans(times.damaged()));
  }

  private static List<PublishedSpan.Times> spans(List<TimeRange> ranges) {
    List<PublishedSpan.Times> spans = new ArrayList<>();
    for (TimeRange range : ranges) {
      spans.add(new PublishedSpan.Times(range.fromNanos(), range.toNanos()));
    }
    return spans;
  }
}
