package org.kblake.ingest.internal.transcode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;

/**
 * Divides the plan of a group that has more than a thread's share of all work. One thread scans a
 * plan. Without the division, the other threads would have no work at the begin and at the end of a
 * large plan.
 *
 * <p>The new plans have equal sizes, mostly a block each. They begin at milestones that were found
 * in the log, so that no segment is in two plans. A pair that still grows is not divided.
 */
public final class PlanDivision {

  private final BackfillPlan plan;
  private final long count;
  private final List<BackfillPlan> divided = new ArrayList<>();
  private List<BackfillPlan.Range> ranges = new ArrayList<>();
  private long bytes;

  private PlanDivision(BackfillPlan plan, long count) {
    this.plan = plan;
    this.count = count;
  }

  /**
   * Divides the plans that are large enough.
   *
   * @return the plans in the order of the given ones, those of each in log order
   */
  public static List<BackfillPlan> of(List<BackfillPlan> plans, int threads, long memoryBytes)
      throws IOException {
    long all = plans.stream().mapToLong(BackfillPlan::bytes).sum();
    List<BackfillPlan> divided = new ArrayList<>();
    for (BackfillPlan plan : plans) {
      divided.addAll(new PlanDivision(plan, count(plan, all, threads, memoryBytes)).plans());
    }
    return divided;
  }

  /**
   * Returns the number of plans that a plan is divided into. If there are more plans than threads,
   * it is a multiple of the threads, so that all threads end together.
   *
   * @param allBytes bytes of log of all plans
   */
  public static long count(BackfillPlan plan, long allBytes, int threads, long memoryBytes) {
    if (plan.bytes() <= allBytes / threads) {
      return 1;
    }
    // Most rows take half the bytes of memory that their events take in the log.
    long most = memoryBytes / threads / 3 * 4;
    long least = (plan.bytes() + most - 1) / most;
    return least <= threads ? least : (least + threads - 1) / threads * threads;
  }

  private List<BackfillPlan> plans() throws IOException {
    for (BackfillPlan.Range range : plan.ranges()) {
      long from = range.fromOffset();
      while (from < range.toOffset()) {
        long room = Math.max(1, end() - bytes);
        long to = room < range.toOffset() - from ? cut(range, from + room) : range.toOffset();
        boolean adjoins = !ranges.isEmpty() && range.adjoinsPrevious();
        ranges.add(new BackfillPlan.Range(range.pair(), from, to, adjoins));
        bytes += to - from;
        from = to;
        if (bytes >= end()) {
          close();
        }
      }
    }
    close();
    return divided;
  }

  /** Returns the end of the plan that is made now, in bytes of the divided one. */
  private long end() {
    long number = Math.min(divided.size() + 1L, count);
    return (long) ((double) plan.bytes() * number / count);
  }

  private void close() {
    if (!ranges.isEmpty()) {
      divided.add(new BackfillPlan(plan.group(), ranges, 0, plan.snapshots()));
      ranges = new ArrayList<>();
    }
  }

  /** Returns the first offset, not before {@code offset}, where a range may be cut, or its end. */
  private long cut(BackfillPlan.Range range, long offset) throws IOException {
    try {
      PairLog log = plan.open(range);
      return log.closed()
          ? Math.min(log.milestoneOffsetAfter(offset - 1), range.toOffset())
          : range.toOffset();
    } catch (UnavailableException
        | PendingPairException
        | CorruptLogException
        | TooNewException e) {
      // The transcoding of the range reports the error.
      return range.toOffset();
    }
  }
}
