package org.kblake.query.internal.trend;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.held.HeldLookup;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.internal.source.GroupSource;
import org.kblake.query.internal.source.RunOrder;
import org.kblake.query.internal.source.ScanThreads;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.TrendQuery;

/**
 * Opens the sources of windows.
 *
 * @param threads the threads that read raw logs ahead; null for none
 * @param listed the times for which pairs are listed: the bins and the look-back
 * @param listener is told how far the events are read
 * @param groups the number of groups that are read at the same time
 */
public record TrendSources(
    Planner planner,
    ChunkReaders readers,
    @Nullable ScanThreads threads,
    long disorderBoundNanos,
    TrendQuery query,
    TimeRange listed,
    ReadListener listener,
    int groups) {

  /** Returns the same for groups of which some are read at the same time, and share the memory. */
  public TrendSources sharedBy(int atOnce) {
    return new TrendSources(
        planner,
        readers,
        threads,
        disorderBoundNanos,
        query,
        listed,
        listener,
        Math.max(1, atOnce));
  }

  GroupPlan plan(Group group, TimeRange window) throws IOException {
    return planner.plan(group, window, listed, query.source(), EpochNanos.of(Instant.now()));
  }

  CoverageBuilder report(Group group, TimeRange window) {
    return new CoverageBuilder(group, window, disorderBoundNanos);
  }

  /**
   * @param window the segments whose spans meet it are read
   * @param events the times of events
   */
  public static GroupRead read(
      GroupPlan plan,
      List<ChannelTarget> channels,
      TimeRange window,
      TimeRange events,
      CoverageBuilder report) {
    return new GroupRead(
        GroupRead.ranges(plan, channels),
        plan.resolver(),
        report,
        channels.size(),
        0,
        window,
        events,
        false);
  }

  /**
   * @param ordered whether order keys are needed
   */
  GroupSource open(GroupRead read, boolean ordered, RunOrder order) {
    ChunkReaders wanted = ordered ? readers.ordered() : readers;
    GroupSource source = new GroupSource(read, planner, wanted, threads, order);
    source.shareMemory(groups);
    return source;
  }

  HeldLookup search(GroupPlan plan, HeldQuery start, List<ChannelTarget> channels)
      throws IOException {
    return HeldLookup.run(
        planner, plan.groupPairs(), start, channels, disorderBoundNanos, ReadListener.NONE);
  }
}
