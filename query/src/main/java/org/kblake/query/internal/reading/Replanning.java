package org.kblake.query.internal.reading;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.GroupPairs;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.coverage.SegmentCoverage;
import org.kblake.query.internal.pair.PairContent;
import org.kblake.query.internal.pair.PairResolver;
import org.kblake.query.internal.plan.PairRanges;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.plan.StoredRange;

/**
 * Plans the segments of a block again, without the block, if it cannot be read to its end: it is
 * damaged, or was replaced in the meantime. A block that failed is not planned again in the same
 * answer. So the replanning ends, even if many blocks are removed during the read.
 */
final class Replanning {

  private final Planner planner;
  private final PairResolver resolver;
  private final TimeRange spans;
  private final CoverageBuilder report;

  /**
   * @param spans the segments whose spans meet it are read
   * @param report receives what cannot be read elsewhere
   */
  Replanning(Planner planner, PairResolver resolver, TimeRange spans, CoverageBuilder report) {
    this.planner = planner;
    this.resolver = resolver;
    this.spans = spans;
    this.report = report;
  }

  /** Returns ranges of the segments of a failed one, in log order. */
  List<PlannedRange> instead(PlannedRange failed, IOException e, boolean isGiven)
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
    boolean haveLog = resolver.of(stored.pair()).log() != null;
    resolver.excludeCorrupt(directory, corrupt, haveLog);
    List<StoredSegment> segments = block.segments(stored.fromSegment(), stored.toSegment());
    long from = segments.get(0).startOffset();
    long to = segments.get(segments.size() - 1).endOffset();
    List<PlannedRange> instead = new ArrayList<>();
    PairContent content = again(stored.pair(), Files.isDirectory(directory));
    PairRange.@Nullable Missing gap = null;
    for (PairRange pairRange : content.pairRanges()) {
      if (pairRange instanceof PairRange.Missing missing) {
        if (noteMissing(missing, missing.times(), segments) && isGiven) {
          gap = missing;
        }
        continue;
      }
      List<ReadRange> ranges = PairRanges.within(content, pairRange, spans, from, to);
      if (gap == null) {
        ranges.forEach(other -> instead.add(failed.with(other, content)));
      } else if (!ranges.isEmpty()) {
        noteMissing(gap, TimeRange.ALL, segments);
      }
    }
    return instead;
  }

  /**
   * Finds the source of a pair again.
   *
   * @param sameBlocks whether the blocks of the plan are still there; if not, they are listed again
   */
  private PairContent again(PairSlot slot, boolean sameBlocks) throws IOException {
    if (!sameBlocks) {
      GroupPairs groupPairs = planner.list(slot.group(), spans, resolver.source());
      groupPairs.problems().forEach(report);
      for (PairSlot fresh : groupPairs.pairs()) {
        if (fresh.stamp().equals(slot.stamp())) {
          return resolver.of(fresh);
        }
      }
    }
    return resolver.of(slot);
  }

  /**
   * Reports the block's segments that cannot be read elsewhere.
   *
   * @return whether there are such segments
   */
  private boolean noteMissing(
      PairRange.Missing missing, TimeRange times, List<StoredSegment> segments) {
    boolean any = false;
    for (StoredSegment segment : segments) {
      if (times.meets(segment.spanFromNanos(), segment.spanToNanos())) {
        any = true;
        report.missing(
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
