package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.GroupPairs;
import org.kblake.query.internal.catalog.PairSection;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.plan.BackwardSteps;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.plan.GroupRead.PlannedRange;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.question.EventQuery;

/**
 * The begin of the last events of each channel of a group. {@link #find} counts events backwards, a
 * few segments at a time, until every channel has enough. A channel with enough events is not read
 * further. The events are only counted, and not kept.
 *
 * @param context the group in which they were found
 * @param ranges the ranges to be read forwards, in log order
 * @param skips the number of first events that are too many, by the answer's channel
 * @param fromNanos the earliest time of the search
 */
public record LastEvents(
    Planner.GroupContext context, List<PlannedRange> ranges, long[] skips, long fromNanos) {

  /**
   * @param groupPairs the group's pairs as they were listed
   * @param names number of channels in the answer
   */
  public static LastEvents find(
      Planner planner,
      GroupPairs groupPairs,
      List<ChannelTarget> channels,
      EventQuery query,
      int names)
      throws IOException {
    return planner.answer(
        groupPairs,
        query.range(),
        query.range(),
        query.source(),
        context -> find(planner, context, channels, query, names));
  }

  private static LastEvents find(
      Planner planner,
      Planner.GroupContext context,
      List<ChannelTarget> channels,
      EventQuery query,
      int names)
      throws IOException {
    long wanted = query.lastEvents();
    TimeRange range = query.range();
    BackwardSteps steps = new BackwardSteps(planner, context, range, readRange -> true);
    long[] counts = new long[names];
    List<ChannelTarget> left = new ArrayList<>(channels);
    List<PlannedRange> ranges = new ArrayList<>();
    long fromNanos = range.toNanos();
    while (!left.isEmpty()) {
      BackwardSteps.Step step = steps.next();
      if (step == null) {
        fromNanos = range.fromNanos();
        break;
      }
      if (step instanceof BackwardSteps.Hole hole) {
        PairSection.Missing missing = hole.missing();
        context
            .report()
            .missing(missing.kind(), missing.times(), missing.file(), 0, missing.detail());
        fromNanos = Math.min(fromNanos, missing.times().fromNanos());
      } else if (step instanceof BackwardSteps.Segments found) {
        RecordTable records = found.content().records();
        if (records != null) {
          PlannedRange planned =
              new PlannedRange(
                  found.readRange(),
                  found.content(),
                  records,
                  List.copyOf(left),
                  GroupRead.absentFrom(records, channels));
          ranges.add(planned);
          context.reportBegin(found.content());
          fromNanos = Math.min(fromNanos, planner.firstMilestoneNanos(found.readRange()));
          count(planner, context, planned, query, counts);
          left.removeIf(channel -> counts[channel.index()] >= wanted);
        }
      }
    }
    Collections.reverse(ranges);
    long[] skips = Arrays.stream(counts).map(count -> Math.max(0, count - wanted)).toArray();
    return new LastEvents(context, ranges, skips, Math.max(fromNanos, range.fromNanos()));
  }

  private static void count(
      Planner planner,
      Planner.GroupContext context,
      PlannedRange planned,
      EventQuery query,
      long[] counts)
      throws IOException {
    // Coverage is reported when the ranges are read forwards.
    CoverageBuilder unused =
        new CoverageBuilder(planned.readRange().pair().group(), query.range(), 0);
    GroupRead groupRead =
        new GroupRead(
            List.of(planned),
            context.resolver(),
            unused,
            planned.channels().size(),
            0,
            query.range(),
            query.hasStrays());
    try (GroupSource source = new GroupSource(groupRead, planner)) {
      while (source.next()) {
        counts[source.channel()] += source.to() - source.from();
      }
    }
  }
}
