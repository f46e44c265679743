package org.kblake.query.internal.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairSection;
import org.kblake.query.internal.coverage.SegmentCoverage;
import org.kblake.query.internal.plan.GroupRead.PlannedRange;
import org.kblake.query.internal.section.PairContent;

/**
 * Plans the segments of a block again, without the block, if it cannot be read to its end: it is
 * damaged, or was replaced in the meantime. A block that failed is not planned again in the same
 * answer. So the replanning ends, even if many blocks are removed during the read.
 */
public final class Replanning {

  private final GroupRead groupRead;
  private final Planner planner;

  public Replanning(GroupRead groupRead, Planner planner) {
    this.groupRead = groupRead;
    this.planner = planner;
  }

  /**
   * @param e why the range failed; thrown again if the range is not of a block
   * @param isGiven whether rows of the range were returned; these are skipped in the new ranges.
   *     Ranges after a gap are then left out, because it is unknown how many of the returned rows
   *     were in the gap
   * @return ranges of the same segments, in log order
   */
  public List<PlannedRange> instead(PlannedRange failed, IOException e, boolean isGiven)
      throws IOException {
    if (!(failed.readRange() instanceof StoredRange stored)) {
      throw e;
    }
    Block block = stored.block();
    Path directory = block.directory();
    CorruptBlockException corrupt =
        e instanceof CorruptBlockException known
            ? known
            : new CorruptBlockException(directory, 0, "no file " + e.getMessage(), "a whole block");
    boolean haveLog = groupRead.resolver().of(stored.pair()).log() != null;
    groupRead.resolver().excludeCorrupt(directory, corrupt, haveLog);
    List<StoredSegment> segments = block.segments(stored.fromSegment(), stored.toSegment());
    long from = segments.get(0).startOffset();
    long to = segments.get(segments.size() - 1).endOffset();
    List<PlannedRange> instead = new ArrayList<>();
    PairContent content = planner.again(groupRead, stored.pair(), Files.isDirectory(directory));
    PairSection.@Nullable Missing gap = null;
    for (PairSection section : content.sections()) {
      if (section instanceof PairSection.Missing missing) {
        if (noteMissing(missing, missing.times(), segments) && isGiven) {
          gap = missing;
        }
        continue;
      }
      List<ReadRange> ranges = SectionRanges.within(content, section, groupRead.range(), from, to);
      if (gap == null) {
        ranges.forEach(other -> instead.add(failed.with(other, content)));
      } else if (!ranges.isEmpty()) {
        noteMissing(gap, TimeRange.ALL, segments);
      }
    }
    return instead;
  }

  /**
   * Reports the block's segments that cannot be read elsewhere.
   *
   * @return whether there are such segments
   */
  private boolean noteMissing(
      PairSection.Missing missing, TimeRange times, List<StoredSegment> segments) {
    boolean any = false;
    for (StoredSegment segment : segments) {
      if (times.meets(segment.spanFromNanos(), segment.spanToNanos())) {
        any = true;
        groupRead
            .report()
            .missing(
                missing.kind(),
                SegmentCoverage.span(segment.spanFromNanos(), segment.spanToNanos()),
                missing.file(),
                0,
                missing.detail());
      }
    }
    return any;
  }
}
