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
 * @param part about the first half
 * @param whole all segments of the sample; equal to the part if there is only one segment
 */
record BackfillSample(BackfillPlan part, BackfillPlan whole) {

  /**
   * Takes a sample.
   *
   * @param bytes the size of the sample; rounded up to whole segments
   */
  static BackfillSample of(BackfillPlan plan, long bytes) throws IOException {
    long from = Math.max(0, (plan.bytes() - bytes) / 2);
    BackfillPlan part = cut(plan, from, from + Math.max(1, bytes / 2));
    long partBytes = part.bytes();
    long wholeBytes = Math.max(bytes, partBytes + 1);
    return new BackfillSample(part, cut(plan, from, Math.min(plan.bytes(), from + wholeBytes)));
  }

  /** Returns the whole segments that have the bytes [from, to) of a plan. */
  private static BackfillPlan cut(BackfillPlan plan, long from, long to) throws IOException {
    List<BackfillPlan.Part> parts = new ArrayList<>();
    long before = 0;
    for (BackfillPlan.Part part : plan.parts()) {
      long begin = Math.max(from - before, 0);
      long end = Math.min(to - before, part.bytes());
      if (begin < end) {
        Milestones milestones = plan.open(part).milestones();
        long first = milestones.offset(milestones.lastUpTo(part.fromOffset() + begin));
        parts.add(
            new BackfillPlan.Part(
                part.pair(),
                Math.max(first, part.fromOffset()),
                milestones.offsetAfter(part.fromOffset() + end - 1, part.toOffset()),
                !parts.isEmpty() && part.adjoinsPrevious()));
      }
      before += part.bytes();
    }
    return new BackfillPlan(plan.group(), List.copyOf(parts), 0, plan.snapshots());
  }
}
