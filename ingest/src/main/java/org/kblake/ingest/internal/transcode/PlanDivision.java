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
 * <p>Pieces have equal sizes, mostly a block each. They begin at milestones that were found in the
 * log, so that no segment is in two pieces. A pair that still grows is not divided.
 */
public final class PlanDivision {

  private final BackfillPlan plan;
  private final long pieces;
  private final List<BackfillPlan> divided = new ArrayList<>();
  private List<BackfillPlan.Part> piece = new ArrayList<>();
  private long bytes;

  private PlanDivision(BackfillPlan plan, long pieces) {
    this.plan = plan;
    this.pieces = pieces;
  }

  /**
   * Divides the plans that are large enough.
   *
   * @return the pieces in the order of the plans, those of each plan in log order
   */
  public static List<BackfillPlan> of(List<BackfillPlan> plans, int threads, long memoryBytes)
      throws IOException {
    long all = plans.stream().mapToLong(BackfillPlan::bytes).sum();
    List<BackfillPlan> divided = new ArrayList<>();
    for (BackfillPlan plan : plans) {
      divided.addAll(new PlanDivision(plan, pieces(plan, all, threads, memoryBytes)).pieces());
    }
    return divided;
  }

  /**
   * Returns the number of pieces of a plan. If there are more pieces than threads, it is a multiple
   * of the threads, so that all threads end together.
   *
   * @param allBytes bytes of log of all plans
   */
  public static long pieces(BackfillPlan plan, long allBytes, int threads, long memoryBytes) {
    if (plan.bytes() <= allBytes / threads) {
      return 1;
    }
    // Most rows take half the bytes of memory that their events take in the log.
    long most = memoryBytes / threads / 3 * 4;
    long least = (plan.bytes() + most - 1) / most;
    return least <= threads ? least : (least + threads - 1) / threads * threads;
  }

  private List<BackfillPlan> pieces() throws IOException {
    for (BackfillPlan.Part part : plan.parts()) {
      long from = part.fromOffset();
      while (from < part.toOffset()) {
        long room = Math.max(1, end() - bytes);
        long to = room < part.toOffset() - from ? cut(part, from + room) : part.toOffset();
        boolean adjoins = !piece.isEmpty() && part.adjoinsPrevious();
        piece.add(new BackfillPlan.Part(part.pair(), from, to, adjoins));
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

  /** Returns the end of the current piece, in bytes of the plan. */
  private long end() {
    long number = Math.min(divided.size() + 1L, pieces);
    return (long) ((double) plan.bytes() * number / pieces);
  }

  private void close() {
    if (!piece.isEmpty()) {
      divided.add(new BackfillPlan(plan.group(), piece, 0, plan.snapshots()));
      piece = new ArrayList<>();
    }
  }

  /** Returns the first offset, not before {@code offset}, where a part may be cut, or its end. */
  private long cut(BackfillPlan.Part part, long offset) throws IOException {
    try {
      PairLog log = plan.open(part);
      return log.closed()
          ? Math.min(log.milestoneOffsetAfter(offset - 1), part.toOffset())
          : part.toOffset();
    } catch (UnavailableException
        | PendingPairException
        | CorruptLogException
        | TooNewException e) {
      // The transcoding of the part reports the error.
      return part.toOffset();
    }
  }
}
