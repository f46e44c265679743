package org.kblake.query.internal.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.internal.store.block.BlockSummary;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.pair.PairContent;

/** Selects the parts of a pair's sections that may have events of a range. */
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

  /** Returns the parts of all sections. */
  public static List<ReadRange> of(PairContent content, TimeRange range) throws IOException {
    return before(content, range, Long.MAX_VALUE);
  }

  /** Returns the parts of all sections, among the segments before an offset of the log. */
  public static List<ReadRange> before(PairContent content, TimeRange range, long toOffset)
      throws IOException {
    PairRanges selected = new PairRanges(content, range, 0, toOffset);
    for (PairRange section : content.sections()) {
      selected.add(section);
    }
    return selected.ranges;
  }

  /** Returns the parts of one section. */
  public static List<ReadRange> of(PairContent content, PairRange section, TimeRange range)
      throws IOException {
    return within(content, section, range, 0, Long.MAX_VALUE);
  }

  /** Returns the parts of one section, among the segments in [fromOffset, toOffset) of the log. */
  public static List<ReadRange> within(
      PairContent content, PairRange section, TimeRange range, long fromOffset, long toOffset)
      throws IOException {
    PairRanges selected = new PairRanges(content, range, fromOffset, toOffset);
    selected.add(section);
    return selected.ranges;
  }

  /**
   * Returns the first segment of a section that may have events of a range; the section's end if
   * none may.
   */
  public static int firstWanted(PairContent content, PairRange.Stored section, TimeRange range)
      throws IOException {
    PairRanges selected = new PairRanges(content, range, 0, Long.MAX_VALUE);
    List<StoredSegment> segments = selected.segments(section);
    IndexedSegments indexed = new IndexedSegments(content.log(), range);
    for (int i = 0; i < segments.size(); i++) {
      if (selected.isWanted(segments.get(i), indexed)) {
        return section.fromSegment() + i;
      }
    }
    return section.toSegment();
  }

  private void add(PairRange section) throws IOException {
    if (section instanceof PairRange.Stored stored) {
      addStored(stored);
    } else if (section instanceof PairRange.Raw raw) {
      addRaw(raw);
    }
  }

  private void addStored(PairRange.Stored section) throws IOException {
    List<StoredSegment> segments = segments(section);
    IndexedSegments indexed = new IndexedSegments(content.log(), range);
    int from = -1;
    for (int i = 0; i <= segments.size(); i++) {
      boolean wanted = i < segments.size() && isWanted(segments.get(i), indexed);
      int number = section.fromSegment() + i;
      if (wanted && from < 0) {
        from = number;
      } else if (!wanted && from >= 0) {
        ranges.add(new StoredRange(content.slot(), section.block(), from, number));
        from = -1;
      }
    }
  }

  /** Returns the segments of a section; none if its block has no event of the range. */
  private List<StoredSegment> segments(PairRange.Stored section) throws IOException {
    BlockSummary summary = section.block().summary();
    return range.meets(summary.spanFromNanos(), summary.spanToNanos())
        ? section.block().segments(section.fromSegment(), section.toSegment())
        : List.of();
  }

  private boolean isWanted(StoredSegment segment, IndexedSegments indexed) throws IOException {
    return range.meets(segment.spanFromNanos(), segment.spanToNanos())
        && segment.startOffset() >= fromOffset
        && segment.startOffset() < toOffset
        && indexed.mayHold(segment);
  }

  private void addRaw(PairRange.Raw section) throws IOException {
    RawRange whole =
        new RawRange(
            content.slot(),
            section.log(),
            Math.max(section.fromOffset(), fromOffset),
            Math.min(section.toOffset(), toOffset));
    RawRange open = null;
    for (IndexSegment segment : whole.segmentsMeeting(range)) {
      if (open != null && open.toOffset() != segment.fromOffset()) {
        ranges.add(open);
        open = null;
      }
      long from = open == null ? segment.fromOffset() : open.fromOffset();
      open = new RawRange(content.slot(), section.log(), from, segment.toOffset());
    }
    if (open != null) {
      ranges.add(open);
    }
  }
}
