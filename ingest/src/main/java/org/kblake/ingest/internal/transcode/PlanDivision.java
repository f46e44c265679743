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
 * Divides the plan of a group that has more than a thread's share of all there is to do. One thread
 * scans a plan, so others would wait for its first rows, and at the end for its last.
 *
 * <p>Pieces are of one size, mostly a block each. They begin at milestones that the log confirms,
 * so that no segment is in two of them. A pair that still grows is not divided.
 */
public final class PlanDivision {

  private final GroupPlan plan;
  private final long pieces;
  private final List<GroupPlan> divided = new ArrayList<>();
  private List<GroupPlan.Part> piece = new ArrayList<>();
  private long bytes;

  private PlanDivision(GroupPlan plan, long pieces) {
    this.plan = plan;
    this.pieces = pieces;
  }

  /**
   * Divides plans where that pays.
   *
   * @return in the order of the plans, each one's pieces in log order
   */
  public static List<GroupPlan> of(List<GroupPlan> plans, int threads, long memoryBytes)
      throws IOException {
    long all = plans.stream().mapToLong(GroupPlan::bytes).sum();
    List<GroupPlan> divided = new ArrayList<>();
    for (GroupPlan plan : plans) {
      divided.addAll(new PlanDivision(plan, pieces(plan, all, threads, memoryBytes)).pieces());
    }
    return divided;
  }

  /**
   * How many pieces a plan makes. Where there are more than threads, the last ones come out even.
   *
   * @param allBytes of log of all plans
   */
  public static long pieces(GroupPlan plan, long allBytes, int threads, long memoryBytes) {
    if (plan.bytes() <= allBytes / threads) {
      return 1;
    }
    // Rows take less memory than their events take in the log, most of them half.
    long most = memoryBytes / threads / 3 * 4;
    long least = (plan.bytes() + most - 1) / most;
    return least <= threads ? least : (least + threads - 1) / threads * threads;
  }

  private List<GroupPlan> pieces() throws IOException {
    for (GroupPlan.Part part : plan.parts()) {
      long from = part.fromOffset();
      while (from < part.toOffset()) {
        long room = Math.max(1, end() - bytes);
        long to = room < part.toOffset() - from ? cut(part, from + room) : part.toOffset();
        boolean adjoins = !piece.isEmpty() && part.adjoinsPrevious();
        piece.add(new GroupPlan.Part(part.pair(), from, to, adjoins));
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

  /** Where the piece at hand ends, counted in bytes of the plan. */
  private long end() {
    long number = Math.min(divided.size() + 1L, pieces);
    return (long) ((double) plan.bytes() * number / pieces);
  }

  private void close() {
    if (!piece.isEmpty()) {
      divided.add(new GroupPlan(plan.group(), piece, 0));
      piece = new ArrayList<>();
    }
  }

  /** The first place at or behind an offset where a part may be cut, or its end. */
  private static long cut(GroupPlan.Part part, long offset) throws IOException {
    try {
      PairLog log = part.pair().open();
      return log.closed()
          ? Math.min(log.milestoneOffsetAfter(offset - 1), part.toOffset())
          : part.toOffset();
    } catch (UnavailableException
        | PendingPairException
        | CorruptLogException
        | TooNewException e) {
      // Said when its turn comes.
      return part.toOffset();
    }
  }
}
