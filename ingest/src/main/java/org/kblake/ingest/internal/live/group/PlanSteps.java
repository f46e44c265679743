package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.store.block.Coverage;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.transcode.BackfillPlan;

/**
 * A group's plan in steps, each of which keeps what is new waiting for seconds only. A step says
 * what of its stretch no block holds when its turn comes. For one thread at a time.
 */
public final class PlanSteps {

  private final BackfillPlan plan;
  private int part;
  private long offset;

  public PlanSteps(BackfillPlan plan) {
    this.plan = plan;
    begin(0);
  }

  private void begin(int next) {
    part = next;
    offset = done() ? 0 : plan.parts().get(next).fromOffset();
  }

  /** Whether there are no more steps. */
  public boolean done() {
    return part == plan.parts().size();
  }

  /** Bytes of log behind the steps so far. */
  public long leftBytes() {
    List<BackfillPlan.Part> left = plan.parts().subList(part, plan.parts().size());
    return done()
        ? 0
        : left.stream().mapToLong(BackfillPlan.Part::bytes).sum()
            - (offset - left.get(0).fromOffset());
  }

  /**
   * The next step; it may be empty.
   *
   * @param coverage what blocks hold by now
   * @param mostBytes of log, at least 1; the segment that reaches beyond is the last
   * @param problems gets a line on pairs that cannot be read any more; they are skipped
   */
  BackfillPlan next(Coverage coverage, long mostBytes, Consumer<String> problems)
      throws IOException {
    BackfillPlan.Builder step = new BackfillPlan.Builder(plan.group(), coverage, plan.snapshots());
    long left = mostBytes;
    while (left > 0 && !done()) {
      BackfillPlan.Part current = plan.parts().get(part);
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
        begin(part + 1);
        continue;
      }
      left -= to - offset;
      if (to < current.toOffset()) {
        offset = to;
      } else {
        begin(part + 1);
      }
    }
    return step.build();
  }

  /** Adds what comes next of a part, up to a milestone behind an offset; where that is. */
  private long add(BackfillPlan.Part current, long most, BackfillPlan.Builder step)
      throws IOException {
    PairLog log = plan.open(current);
    long to = Math.min(current.toOffset(), log.milestones().offsetAfter(most, current.toOffset()));
    step.add(log, TimeRange.ALL, offset, to);
    return to;
  }
}
