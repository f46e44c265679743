package org.kblake.lake.facts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.store.CutLogs;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.store.block.Stretch;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.lake.table.DataName;

/**
 * Finds the times of writes of a stretch of a block, as the coverage report of an answer does: the
 * archiver was down if nothing was written for more than two milestone intervals.
 */
final class PartReader {

  private final long boundNanos;
  private final long silenceNanos;
  private final boolean closes;
  private final List<LogPart.Span> written = new ArrayList<>();
  private final List<LogPart.Span> damaged = new ArrayList<>();

  private PartReader(long boundNanos, long silenceNanos, boolean closes) {
    this.boundNanos = boundNanos;
    this.silenceNanos = silenceNanos;
    this.closes = closes;
  }

  /**
   * Reads the times of a stretch.
   *
   * @param stretch the number of the stretch in the block
   * @param wanted the part of it, in whole segments
   * @param image what the block stores of its pair
   * @param boundNanos the archive's disorder bound
   */
  static LogPart read(Block block, int stretch, Stretch wanted, PairImage image, long boundNanos)
      throws IOException {
    List<StoredSegment> segments = new ArrayList<>();
    for (StoredSegment segment :
        block.segments(block.firstSegment(stretch), block.firstSegment(stretch + 1))) {
      if (segment.startOffset() >= wanted.fromOffset()
          && segment.endOffset() <= wanted.toOffset()) {
        segments.add(segment);
      }
    }
    if (segments.isEmpty()) {
      throw new IOException(
          "block has no segment of a stretch: block=" + block.directory() + ", stretch=" + wanted);
    }
    PairImage.Closing closing = image.closing();
    // A log that had lost its end does not say how the pair ended.
    boolean closes =
        closing != null
            && closing.logBytes() == wanted.toOffset()
            && CutLogs.of(block, image, ArchiveSettings.defaults().layouts()).isEmpty();
    return new PartReader(boundNanos, 2 * image.milestoneIntervalNanos(), closes)
        .part(DataName.block(block), wanted, segments);
  }

  private LogPart part(String block, Stretch stretch, List<StoredSegment> segments) {
    for (int i = 0; i < segments.size(); i++) {
      add(segments.get(i), closes && i == segments.size() - 1);
    }
    StoredSegment last = segments.get(segments.size() - 1);
    return new LogPart(
        block,
        stretch.stamp(),
        stretch.fromOffset(),
        stretch.toOffset(),
        segments.get(0).milestoneNanos(),
        lastWrite(last),
        known(last, closes),
        silenceNanos,
        closes,
        written,
        damaged);
  }

  private static long lastWrite(StoredSegment segment) {
    return Math.max(segment.milestoneNanos(), segment.lastNanos());
  }

  /** Returns the time up to which the log is known. A segment that ends a pair has no milestone. */
  private long known(StoredSegment segment, boolean ends) {
    long last = lastWrite(segment);
    return ends ? last : Math.max(last, EpochNanos.minus(segment.spanToNanos(), boundNanos));
  }

  private void add(StoredSegment segment, boolean ends) {
    long from = segment.milestoneNanos();
    long to = known(segment, ends);
    long first = segment.firstNanos() == Long.MAX_VALUE ? to : segment.firstNanos();
    if (EpochNanos.minus(first, from) > silenceNanos) {
      from = first;
    }
    long last = Math.max(from, segment.lastNanos());
    write(from, EpochNanos.minus(to, last) > silenceNanos ? last : to);
    if (segment.damagedBytes() > 0) {
      damaged.add(
          new LogPart.Span(
              segment.spanFromNanos(),
              Math.max(segment.spanFromNanos(), EpochNanos.plus(segment.spanToNanos(), 1))));
    }
  }

  private void write(long from, long to) {
    int last = written.size() - 1;
    if (last >= 0 && written.get(last).from() <= from && from <= written.get(last).to()) {
      LogPart.Span open = written.get(last);
      written.set(last, new LogPart.Span(open.from(), Math.max(open.to(), to)));
    } else if (from < to) {
      written.add(new LogPart.Span(from, to));
    }
  }
}
