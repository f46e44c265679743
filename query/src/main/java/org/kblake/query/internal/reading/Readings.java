package org.kblake.query.internal.reading;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.query.internal.catalog.GroupPairs;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.internal.source.ScanThreads;
import org.kblake.query.internal.source.WantedEvents;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.Scope;

/**
 * What the readings of a question share.
 *
 * @param planner plans ranges, and plans them again if a block fails
 * @param readers the readers of blocks
 * @param threads the threads that read raw logs ahead; null for none
 * @param groups the number of groups that are read at the same time, and share the memory
 * @param listener is told what is read
 */
public record Readings(
    Planner planner,
    ChunkReaders readers,
    @Nullable ScanThreads threads,
    int groups,
    ReadListener listener) {

  /** Returns the same for groups of which some are read at the same time. */
  public Readings sharedBy(int atOnce) {
    return new Readings(planner, readers, threads, Math.max(1, atOnce), listener);
  }

  /** Returns the same, which tells a listener what is read. */
  public Readings tell(ReadListener other) {
    return new Readings(planner, readers, threads, groups, other);
  }

  /** Returns the same, which reads nothing ahead. */
  public Readings withoutReadAhead() {
    return new Readings(planner, readers, null, groups, listener);
  }

  /**
   * Returns the reading of channels in all ranges of a plan. It reports to the plan's report, and
   * all events of the plan's range are wanted, except strays.
   */
  public Reading of(GroupPlan plan, List<ChannelTarget> channels) {
    return new Reading(
        this, plan, channels, PlannedRange.of(plan, channels), WantedEvents.of(plan.range()));
  }

  /** Answers a part of a question from one listing of the group. */
  @FunctionalInterface
  public interface Attempt<T> {
    T answer(Reading reading) throws IOException;
  }

  /**
   * Answers a part of a question by an attempt, which {@link Planner#answer} repeats if it must.
   *
   * @param first the group's pairs as they were listed
   */
  public <T> T answer(
      GroupPairs first, Scope scope, List<ChannelTarget> channels, Attempt<T> attempt)
      throws IOException {
    return planner.answer(first, scope, opened -> attempt.answer(of(opened, channels)));
  }
}
