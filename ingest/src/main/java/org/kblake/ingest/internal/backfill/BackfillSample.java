package org.kblake.ingest.internal.backfill;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.ingest.internal.transcode.BackfillPlan;

/**
 * Adjacent segments from the middle of a plan, as two plans: the first half of them, and all of
 * them. {@link BackfillEstimate} computes from both the cost of a block and the cost of a byte.
 *
 * @param half about the first half
 * @param whole all segments of the sample; equal to the half if there is only one segment
 */
record BackfillSample(BackfillPlan half, BackfillPlan whole) {

  /**
   * Takes a sample.
   *
   * @param bytes the size of the sample; rounded up to whole segments
   */
  static BackfillSample of(BackfillPlan plan, long bytes) throws IOException {
    long from = Math.max(0, (plan.bytes() - bytes) / 2);
    BackfillPlan half = cut(plan, from, from + Math.max(1, bytes / 2));
    long halfBytes = half.bytes();
    long wholeBytes = Math.max(bytes, halfBytes + 1);
    return new BackfillSample(half, cut(plan, from, Math.min(plan.bytes(), from + wholeBytes)));
  }

  /** Returns the whole segments that have the bytes [from, to) of a plan. */
  private static BackfillPlan cut(BackfillPlan plan, long from, long to) throws IOException {
    List<BackfillPlan.Range> ranges = new ArrayList<>();
    long before = 0;
    for (BackfillPlan.Range range : plan.ranges()) {
      long begin = Math.max(from - before, 0);
      long end = Math.min(to - before, range.bytes());
      if (begin < end) {
        Milestones milestones = plan.open(range).milestones();
        long first = milestones.offset(milestones.lastUpTo(range.fromOffset() + begin));
        ranges.add(
            new BackfillPlan.Range(
                range.pair(),
                Math.max(first, range.fromOffset()),
                milestones.offsetAfter(range.fromOffset() + end - 1, range.toOffset()),
                !ranges.isEmpty() && range.adjoinsPrevious()));
      }
      before += range.bytes();
    }
    return new BackfillPlan(plan.group(), List.copyOf(ranges), 0, plan.snapshots());
  }
}
