package org.kblake.query.internal.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.query.internal.catalog.PairSection;
import org.kblake.query.internal.coverage.SegmentCoverage;
import org.kblake.query.internal.plan.GroupRead.PlannedRange;

/**
 * Finds what stands for a block that cannot be read to its end, because it is damaged or was
 * replaced meanwhile: its segments are planned once more without it. A directory that failed is not
 * planned again in the same answer, so this ends, however many blocks go while they are read.
 */
public final class Replanning {

  private final GroupRead groupRead;
  private final Planner planner;

  public Replanning(GroupRead groupRead, Planner planner) {
    this.groupRead = groupRead;
    this.planner = planner;
  }

  /**
   * @param e why the range failed; thrown again if nothing can stand for it
   * @return ranges of the same segments, in log order
   */
  public List<PlannedRange> instead(PlannedRange failed, IOException e) throws IOException {
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
    for (ReadRange other : Planner.ranges(content, groupRead.range(), from, to)) {
      instead.add(failed.with(other, content));
    }
    for (PairSection section : content.sections()) {
      if (section instanceof PairSection.Missing missing) {
        noteMissing(missing, segments);
      }
    }
    return instead;
  }

  /** Of the block's segments those are missing that lie in what can be read nowhere else. */
  private void noteMissing(PairSection.Missing missing, List<StoredSegment> segments) {
    for (StoredSegment segment : segments) {
      if (missing.times().meets(segment.spanFromNanos(), segment.spanToNanos())) {
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
  }
}
