package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.Coverage;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.transcode.BackfillPlan;

/**
 * A group's plan in steps. New segments of the group wait for one step at most, which takes
 * seconds. A step has the segments of its range that are in no block when it begins. For one thread
 * at a time.
 */
public final class PlanSteps {

  private final BackfillPlan plan;
  private int range;
  private long offset;

  public PlanSteps(BackfillPlan plan) {
    this.plan = plan;
    begin(0);
  }

  private void begin(int next) {
    range = next;
    offset = done() ? 0 : plan.ranges().get(next).fromOffset();
  }

  /** Returns whether there are no more steps. */
  public boolean done() {
    return range == plan.ranges().size();
  }

  /** Returns the bytes of log that are left after the steps so far. */
  public long leftBytes() {
    List<BackfillPlan.Range> left = plan.ranges().subList(range, plan.ranges().size());
    return done()
        ? 0
        : left.stream().mapToLong(BackfillPlan.Range::bytes).sum()
            - (offset - left.get(0).fromOffset());
  }

  /**
   * Returns the next step, which may be empty.
   *
   * @param coverage the present coverage of the group
   * @param mostBytes bytes of log, at least 1; the segment that exceeds them is the last
   * @param problems receives a line for each pair that cannot be read any more; it is skipped
   */
  BackfillPlan next(Coverage coverage, long mostBytes, Consumer<String> problems)
      throws IOException {
    BackfillPlan.Builder step = new BackfillPlan.Builder(plan.group(), coverage, plan.snapshots());
    long left = mostBytes;
    while (left > 0 && !done()) {
      BackfillPlan.Range current = plan.ranges().get(range);
      if (!current.adjoinsPrevious()) {
        step.passOver();
      }
      long to;
      try {
        to = add(current, offset + left - 1, step);
      } catch (UnavailableException
          | PendingPairException
          | CorruptLogException
          | TooNewException e) {
        problems.accept(String.valueOf(e.getMessage()));
        step.passOver();
        begin(range + 1);
        continue;
      }
      left -= to - offset;
      if (to < current.toOffset()) {
        offset = to;
      } else {
        begin(range + 1);
      }
    }
    return step.build();
  }

  /**
   * Adds the next segments of a range, up to a milestone after an offset. Returns the end of what
   * was added.
   */
  private long add(BackfillPlan.Range current, long most, BackfillPlan.Builder step)
      throws IOException {
    PairLog log = plan.open(current);
    long to = Math.min(current.toOffset(), log.milestones().offsetAfter(most, current.toOffset()));
    step.add(log, TimeRange.ALL, offset, to);
    return to;
  }
}
