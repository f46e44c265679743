package org.kblake.query.internal.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.internal.store.block.BlockSummary;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.log.WriteTimes;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.pair.PairContent;

/** Selects what of a pair's ranges may have events of the range that is asked for. */
public final class PairRanges {

  private final PairContent content;
  private final TimeRange range;
  private final long fromOffset;
  private final long toOffset;
  private final List<ReadRange> ranges = new ArrayList<>();

  private PairRanges(PairContent content, TimeRange range, long fromOffset, long toOffset) {
    this.content = content;
    this.range = range;
    this.fromOffset = fromOffset;
    this.toOffset = toOffset;
  }

  /** Selects from all ranges. */
  public static List<ReadRange> of(PairContent content, TimeRange range) throws IOException {
    return before(content, range, Long.MAX_VALUE);
  }

  /** Selects from all ranges, among the segments before an offset of the log. */
  public static List<ReadRange> before(PairContent content, TimeRange range, long toOffset)
      throws IOException {
    PairRanges selected = new PairRanges(content, range, 0, toOffset);
    for (PairRange pairRange : content.pairRanges()) {
      selected.add(pairRange);
    }
    return selected.ranges;
  }

  /** Selects from one range. */
  public static List<ReadRange> of(PairContent content, PairRange pairRange, TimeRange range)
      throws IOException {
    return within(content, pairRange, range, 0, Long.MAX_VALUE);
  }

  /** Selects from one range, among the segments in [fromOffset, toOffset) of the log. */
  public static List<ReadRange> within(
      PairContent content, PairRange pairRange, TimeRange range, long fromOffset, long toOffset)
      throws IOException {
    PairRanges selected = new PairRanges(content, range, fromOffset, toOffset);
    selected.add(pairRange);
    return selected.ranges;
  }

  /**
   * Returns the first segment of a pair's range that may have events of a range; its end if none
   * may.
   */
  public static int firstWanted(PairContent content, PairRange.Stored pairRange, TimeRange range)
      throws IOException {
    PairRanges selected = new PairRanges(content, range, 0, Long.MAX_VALUE);
    List<StoredSegment> segments = selected.segments(pairRange);
    IndexedSegments indexed = new IndexedSegments(content.log(), range);
    for (int i = 0; i < segments.size(); i++) {
      if (selected.isWanted(segments.get(i), indexed)) {
        return pairRange.fromSegment() + i;
      }
    }
    return pairRange.toSegment();
  }

  private void add(PairRange pairRange) throws IOException {
    if (pairRange instanceof PairRange.Stored stored) {
      addStored(stored);
    } else if (pairRange instanceof PairRange.Raw raw) {
      addRaw(raw);
    }
  }

  private void addStored(PairRange.Stored pairRange) throws IOException {
    List<StoredSegment> segments = segments(pairRange);
    IndexedSegments indexed = new IndexedSegments(content.log(), range);
    int from = -1;
    for (int i = 0; i <= segments.size(); i++) {
      boolean wanted = i < segments.size() && isWanted(segments.get(i), indexed);
      int number = pairRange.fromSegment() + i;
      if (wanted && from < 0) {
        from = number;
      } else if (!wanted && from >= 0) {
        ranges.add(new StoredRange(content.slot(), pairRange.block(), from, number));
        from = -1;
      }
    }
  }

  /** Returns the segments of a range; none if its block has no event of the range. */
  private List<StoredSegment> segments(PairRange.Stored pairRange) throws IOException {
    BlockSummary summary = pairRange.block().summary();
    long silence = WriteTimes.silenceNanos(content.intervalNanos());
    return range.meets(summary.spanFromNanos(), EpochNanos.plus(summary.spanToNanos(), silence))
        ? pairRange.block().segments(pairRange.fromSegment(), pairRange.toSegment())
        : List.of();
  }

  private boolean isWanted(StoredSegment segment, IndexedSegments indexed) throws IOException {
    boolean isLast = segment.endOffset() >= content.closedAtOffset();
    long to =
        isLast
            ? WriteTimes.reachNanos(
                segment.spanToNanos(),
                segment.milestoneNanos(),
                segment.lastNanos(),
                content.intervalNanos())
            : segment.spanToNanos();
    return range.meets(segment.spanFromNanos(), to)
        && segment.startOffset() >= fromOffset
        && segment.startOffset() < toOffset
        && indexed.mayHold(segment);
  }

  private void addRaw(PairRange.Raw pairRange) throws IOException {
    RawRange whole =
        new RawRange(
            content.slot(),
            pairRange.log(),
            Math.max(pairRange.fromOffset(), fromOffset),
            Math.min(pairRange.toOffset(), toOffset));
    RawRange open = null;
    for (IndexSegment segment : whole.segmentsMeeting(range)) {
      if (open != null && open.toOffset() != segment.fromOffset()) {
        ranges.add(open);
        open = null;
      }
      long from = open == null ? segment.fromOffset() : open.fromOffset();
      open = new RawRange(content.slot(), pairRange.log(), from, segment.toOffset());
    }
    if (open != null) {
      ranges.add(open);
    }
  }
}
