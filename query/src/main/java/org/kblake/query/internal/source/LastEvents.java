package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.plan.StoredRange;
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
   * A place in a group's log.
   *
   * @param pair the number of the pair among the listed pairs
   * @param offset the offset in the pair's log
   */
  public record Place(int pair, long offset) {

    static final Place END = new Place(Integer.MAX_VALUE, 0);

    /** Returns the part of a range that lies before this place; null if there is none. */
    private @Nullable ReadRange before(ReadRange range) throws IOException {
      int number = range.pair().number();
      if (number != pair) {
        return number < pair ? range : null;
      }
      return beginOffset(range) < offset ? cut(range) : null;
    }

    private ReadRange cut(ReadRange range) throws IOException {
      if (range instanceof RawRange raw) {
        return new RawRange(
            raw.pair(), raw.log(), raw.fromOffset(), Math.min(raw.toOffset(), offset));
      }
      StoredRange stored = (StoredRange) range;
      int end = stored.toSegment();
      while (stored.block().segment(end - 1).startOffset() >= offset) {
        end--;
      }
      return new StoredRange(stored.pair(), stored.block(), stored.fromSegment(), end);
    }

    private static long beginOffset(ReadRange range) throws IOException {
      return range instanceof StoredRange stored
          ? stored.block().segment(stored.fromSegment()).startOffset()
          : ((RawRange) range).fromOffset();
    }
  }

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
        context ->
            find(
                planner, context, channels, query, query.lastEvents(), new long[names], Place.END));
  }

  /**
   * Finds the last events before a place.
   *
   * @param wanted the number of events of each channel, before the place and after it
   * @param after the number of events after the place, by the answer's channel
   */
  public static LastEvents find(
      Planner planner,
      Planner.GroupContext context,
      List<ChannelTarget> channels,
      EventQuery query,
      long wanted,
      long[] after,
      Place place)
      throws IOException {
    TimeRange range = query.range();
    BackwardSteps steps = new BackwardSteps(planner, context, range, readRange -> true);
    long[] counts = after.clone();
    List<ChannelTarget> left = new ArrayList<>(channels);
    left.removeIf(channel -> counts[channel.index()] >= wanted);
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
        ReadRange readRange = place.before(found.readRange());
        if (records != null && readRange != null) {
          PlannedRange planned =
              new PlannedRange(
                  readRange,
                  found.content(),
                  records,
                  List.copyOf(left),
                  GroupRead.absentFrom(records, channels));
          ranges.add(planned);
          context.reportBegin(found.content());
          fromNanos = Math.min(fromNanos, planner.firstMilestoneNanos(readRange));
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
    try (GroupSource source = new GroupSource(groupRead, planner, RunOrder.LOG)) {
      while (source.next()) {
        counts[source.channel()] += source.to() - source.from();
      }
    }
  }
}
