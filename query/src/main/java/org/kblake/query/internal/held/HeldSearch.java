package org.kblake.query.internal.held;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.GroupPairs;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.plan.StoredRange;
import org.kblake.query.internal.reading.BackwardSteps;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.internal.source.RowOrder;
import org.kblake.query.question.HeldQuery;

/**
 * Finds the values that channels of one group held at an instant, in one backward pass. It reads a
 * few segments at a time, forwards within these, until every channel has its value.
 *
 * <p>In the raw log a milestone may replace all the log before it. It does not show whether an
 * event that it repeats was a stray. So that event is searched in the segments that contain its
 * time. Two milestones that state the same of a channel show that the log between has no other
 * event of it ({@link RawRangeSearch}). At the begin of the readable log there is only the
 * milestone. Its events are then accepted if their times are before the group's log, or in ranges
 * that cannot be read.
 *
 * <p>Blocks have no milestones. They are searched by their chunk directories. After several ranges
 * without events, and where blocks begin, the milestone of the raw log is used as well. Otherwise
 * each pair of many years would be opened, to check that it is still the pair of its block.
 *
 * <p>So blocks and raw log give the same answer, if milestones agree with the log before them. If a
 * pair was replaced by one that disagrees with the next milestone, both answers may differ, because
 * a search of the raw log uses more milestones.
 */
final class HeldSearch {

  /**
   * The number of empty ranges of blocks before the first milestone is read. A milestone takes as
   * long to read as a few ranges.
   */
  private static final int FIRST_PROBE = 3;

  private final Reading group;
  private final HeldQuery query;
  private final TimeRange range;
  private final boolean usesMilestones;
  private final HeldStates states;
  private final ChannelTimes blocks;

  /** The number of empty ranges of blocks before the next milestone is read. */
  private int untilProbe = FIRST_PROBE;

  /** The number of empty ranges after that milestone. It grows with each milestone. */
  private int probeInterval = 4 * FIRST_PROBE;

  /** The milestone with which the last range of a raw log began; null if none was read. */
  private @Nullable HeldMilestone nearest;

  /** The range of the earliest segment so far. */
  private @Nullable PlannedRange earliest;

  /**
   * Searches for the values.
   *
   * @param groupPairs the group's pairs as they were listed
   * @param usesMilestones false if channels have several records: a milestone repeats the last
   *     event of a record, which need not be that of the channel
   */
  static HeldSearch run(
      Readings readings,
      GroupPairs groupPairs,
      HeldQuery query,
      List<ChannelTarget> channels,
      boolean usesMilestones)
      throws IOException {
    return readings.answer(
        groupPairs,
        query.scope().widened(),
        channels,
        group -> {
          HeldSearch search = new HeldSearch(group, query, usesMilestones);
          search.searchBackwards();
          return search;
        });
  }

  private HeldSearch(Reading group, HeldQuery query, boolean usesMilestones) {
    this.group = group;
    this.query = query;
    this.usesMilestones = usesMilestones;
    range = group.plan().range();
    blocks = new ChannelTimes(range);
    states = new HeldStates(group);
  }

  private void searchBackwards() throws IOException {
    BackwardSteps steps = group.backward(this::mayHold);
    while (!states.isSettled()) {
      Interruption.check();
      BackwardSteps.Step step = steps.next();
      if (step instanceof BackwardSteps.Segments segments) {
        search(segments);
      } else {
        useEarliestMilestone();
        if (step == null) {
          return;
        }
        if (!states.isSettled() && step instanceof BackwardSteps.Hole hole) {
          states.note(hole.missing());
        }
      }
    }
  }

  /** Returns the results, and the spans in which values may be missing. */
  HeldStates states() {
    return states;
  }

  /** Returns notes on the blocks and pairs that were searched. */
  List<String> notes() {
    return group.report().notes();
  }

  private void search(BackwardSteps.Segments segments) throws IOException {
    RecordTable records = segments.content().records();
    if (records == null) {
      return;
    }
    List<ChannelTarget> wanted = new ArrayList<>(withinRange(segments.readRange()));
    wanted.removeIf(channel -> !channel.isIn(records));
    PlannedRange planned =
        new PlannedRange(segments.readRange(), segments.content(), records, wanted, List.of());
    earliest = planned;
    if (wanted.isEmpty()) {
      if (segments.readRange() instanceof StoredRange stored && usesMilestones) {
        probeIfDue(stored, planned);
      }
    } else if (segments.readRange() instanceof RawRange raw) {
      nearest = new RawRangeSearch(this, planned, raw, range).run(nearest);
    } else {
      states.takeLast(planned);
    }
  }

  private void probeIfDue(StoredRange stored, PlannedRange planned) throws IOException {
    PairLog log = planned.content().log();
    untilProbe--;
    if (untilProbe <= 0 && log != null) {
      untilProbe = probeInterval;
      probeInterval *= 4;
      useMilestone(log, stored.block().segment(stored.fromSegment()).startOffset(), planned, false);
    }
  }

  /** Returns the remaining channels that may have events in a range. */
  private List<ChannelTarget> withinRange(ReadRange readRange) throws IOException {
    return readRange instanceof StoredRange stored
        ? blocks.mayHold(stored, states.remaining())
        : List.copyOf(states.remaining());
  }

  /** Returns whether a range has to be searched. */
  private boolean mayHold(StoredRange readRange) throws IOException {
    try {
      return !withinRange(readRange).isEmpty();
    } catch (CorruptBlockException e) {
      // The search finds this error again.
      return true;
    }
  }

  /** Uses the milestone where the readable log begins, if the raw log can be read. */
  private void useEarliestMilestone() throws IOException {
    PlannedRange planned = earliest;
    earliest = null;
    if (planned == null || states.isSettled() || !usesMilestones) {
      return;
    }
    PairLog log = planned.content().log();
    if (log == null) {
      return;
    }
    if (planned.readRange() instanceof StoredRange stored) {
      useMilestone(log, stored.block().segment(stored.fromSegment()).startOffset(), planned, true);
    } else if (planned.readRange() instanceof RawRange raw) {
      useMilestone(log, raw.fromOffset(), planned, true);
    }
  }

  /**
   * Reads a milestone for the remaining channels.
   *
   * @return null if it is damaged, or has none of the channels
   */
  @Nullable HeldMilestone milestone(PairLog log, long offset) throws IOException {
    return HeldMilestone.read(log, offset, states.remaining(), range);
  }

  private void useMilestone(PairLog log, long offset, PlannedRange planned, boolean isFirst)
      throws IOException {
    HeldMilestone milestone = milestone(log, offset);
    if (milestone != null) {
      use(milestone, planned, isFirst);
    }
  }

  /**
   * Uses a milestone for the remaining channels, if it lies early enough.
   *
   * @param isFirst whether nothing before it can be read for the question; its events of times
   *     before the group's log, or in ranges that cannot be read, are accepted then
   */
  void use(HeldMilestone milestone, PlannedRange planned, boolean isFirst) throws IOException {
    if (!usesMilestones
        || milestone.nanos()
            > EpochNanos.minus(query.atNanos(), group.shared().planner().disorderBoundNanos())) {
      return;
    }
    milestone.settle(
        states.open(),
        new HeldConfirmation(group, planned, milestone.offset()),
        isFirst,
        (before, times, visitor) -> states.scan(before, times, RowOrder.LOG, visitor));
    states.removeSettled();
  }
}
