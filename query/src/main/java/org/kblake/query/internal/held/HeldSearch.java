package org.kblake.query.internal.held;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.columns.RowCopies;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.store.block.StretchTimes;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.HeldValue;
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
import org.kblake.query.internal.source.EventRuns;
import org.kblake.query.internal.source.GroupSource;
import org.kblake.query.question.HeldQuery;

/**
 * Looks for the values that channels of one group held at an instant, all in one pass backwards: a
 * few segments at a time, forwards within these, until every channel has its value.
 *
 * <p>In the raw log a milestone may stand in for all the log before it. It does not tell whether
 * the event that it repeats was a stray, so that event is looked for in the segments that contain
 * its time. Where the readable log begins, a milestone is all there is, and is believed of times
 * before the group's log or in what cannot be read. Blocks have no milestones; they are searched by
 * their chunk directories. Where some pairs have nothing, and where blocks begin, the raw log's
 * milestone is asked as well: otherwise each pair of years would be looked at, whether it is still
 * the one that the block is of. So the answer is the same, as far as milestones agree with the log
 * before them: where a pair was exchanged for one that says otherwise, the milestone behind it
 * decides if it is asked, and the raw log asks more of them.
 */
public final class HeldSearch {

  /** A milestone is read in the time in which a few sections of blocks are looked at. */
  private static final int FIRST_PROBE = 3;

  private static final TimeRange NO_TIME = new TimeRange(Long.MAX_VALUE, Long.MAX_VALUE);

  private final Planner planner;
  private final Planner.GroupContext context;
  private final HeldQuery query;
  private final TimeRange range;
  private final long disorderBoundNanos;
  private final Map<ChannelTarget, HeldSearchState> found = new LinkedHashMap<>();
  private final Set<CoverageSpan> missing = new LinkedHashSet<>();
  private final Set<ChannelTarget> left;

  private @Nullable Block block;

  /** The channels that are left and have events in the block, and of what times. */
  private Map<String, TimeRange> timesInBlock = Map.of();

  /** How many more sections of blocks may have nothing before a milestone is read. */
  private int untilProbe = FIRST_PROBE;

  /** How many sections may have nothing after that; it grows with each milestone. */
  private int probeInterval = 4 * FIRST_PROBE;

  /** The earliest segment looked into so far. */
  private @Nullable PlannedRange earliest;

  public HeldSearch(
      Planner planner,
      Planner.GroupContext context,
      HeldQuery query,
      List<ChannelTarget> channels,
      long disorderBoundNanos) {
    this.planner = planner;
    this.context = context;
    this.query = query;
    this.disorderBoundNanos = disorderBoundNanos;
    range = rangeOf(query);
    channels.forEach(channel -> found.put(channel, new HeldSearchState()));
    left = new LinkedHashSet<>(channels);
  }

  /** What is searched. */
  public static TimeRange rangeOf(HeldQuery query) {
    return new TimeRange(
        EpochNanos.minus(query.atNanos(), query.lookBackNanos()),
        EpochNanos.plus(query.atNanos(), 1));
  }

  /** Searches. Afterwards the values are known, and what is missing. */
  public void run() throws IOException {
    BackwardSteps steps = new BackwardSteps(planner, context, range, this::mayHold);
    while (!left.isEmpty()) {
      BackwardSteps.Step step = steps.next();
      if (step instanceof BackwardSteps.Segments segments) {
        lookInto(segments);
      } else {
        askEarliest();
        if (step == null) {
          return;
        }
        if (!left.isEmpty() && step instanceof BackwardSteps.Hole hole) {
          note(hole.missing());
        }
      }
    }
  }

  private void note(PairSection.Missing hole) {
    missing.add(hole.span(context.groupPairs().group(), clipped(hole.times())));
  }

  private TimeRange clipped(TimeRange times) {
    long from = Math.max(range.fromNanos(), times.fromNanos());
    return new TimeRange(from, Math.max(from, Math.min(range.toNanos(), times.toNanos())));
  }

  /** What values may be missing from. */
  public List<CoverageSpan> missing() {
    return List.copyOf(missing);
  }

  public HeldValue value(ChannelTarget channel) {
    return found.getOrDefault(channel, new HeldSearchState()).of(channel);
  }

  /**
   * Where the segment of the event that set a channel's value stands in log order; before
   * everything where only a milestone tells of it.
   */
  public long orderKey(ChannelTarget channel) {
    return found.getOrDefault(channel, new HeldSearchState()).orderKey();
  }

  private void lookInto(BackwardSteps.Segments segments) throws IOException {
    RecordTable records = segments.content().records();
    if (records == null) {
      return;
    }
    List<ChannelTarget> wanted = new ArrayList<>();
    for (ChannelTarget channel : withinRange(segments.readRange())) {
      if (records.ordinalOfName(channel.name()) >= 0) {
        wanted.add(channel);
      }
    }
    PlannedRange planned =
        new PlannedRange(segments.readRange(), segments.content(), records, wanted, List.of());
    if (!wanted.isEmpty()) {
      takeLast(planned);
    }
    earliest = planned;
    if (left.isEmpty()) {
      return;
    }
    if (segments.readRange() instanceof RawRange raw) {
      ask(raw.log(), raw.fromOffset(), planned, false);
    } else if (segments.readRange() instanceof StoredRange stored && wanted.isEmpty()) {
      probeIfDue(stored, planned);
    }
  }

  private void probeIfDue(StoredRange stored, PlannedRange planned) throws IOException {
    PairLog log = planned.content().log();
    untilProbe--;
    if (untilProbe <= 0 && log != null) {
      untilProbe = probeInterval;
      probeInterval *= 4;
      ask(log, stored.block().segment(stored.fromSegment()).startOffset(), planned, false);
    }
  }

  /** The channels that are left and may have events in a range, or damage that must be reported. */
  private List<ChannelTarget> withinRange(ReadRange readRange) throws IOException {
    if (!(readRange instanceof StoredRange stored)) {
      return List.copyOf(left);
    }
    if (block != stored.block()) {
      timesInBlock = timesIn(stored.block());
      block = stored.block();
    }
    List<ChannelTarget> channels = new ArrayList<>();
    if (timesInBlock.isEmpty()) {
      return channels;
    }
    TimeRange times = timesOf(stored);
    for (ChannelTarget channel : left) {
      TimeRange ofChannel = timesInBlock.get(channel.name());
      if (ofChannel != null
          && ofChannel.fromNanos() < times.toNanos()
          && times.fromNanos() < ofChannel.toNanos()) {
        channels.add(channel);
      }
    }
    return channels;
  }

  /**
   * The times of a range's events, strays aside; all times if what is damaged may have held others.
   * Those of its stretch mostly tell enough.
   */
  private TimeRange timesOf(StoredRange readRange) throws IOException {
    Block wanted = readRange.block();
    if (readRange.fromSegment() == readRange.toSegment()) {
      return NO_TIME;
    }
    StretchTimes times = wanted.times(wanted.segment(readRange.fromSegment()).stretch());
    if (!times.isDamaged() && !anyMeets(times)) {
      return NO_TIME;
    }
    for (StoredSegment segment : wanted.segments(readRange.fromSegment(), readRange.toSegment())) {
      if (segment.damagedBytes() > 0) {
        return TimeRange.ALL;
      }
    }
    return readRange.timesWithin(TimeRange.ALL);
  }

  private boolean anyMeets(StretchTimes times) {
    for (TimeRange ofChannel : timesInBlock.values()) {
      if (ofChannel.meets(times.firstNanos(), times.lastNanos())) {
        return true;
      }
    }
    return false;
  }

  /** Whether a range need be gone through. */
  private boolean mayHold(StoredRange readRange) throws IOException {
    try {
      return !withinRange(readRange).isEmpty();
    } catch (CorruptBlockException e) {
      // whoever goes through it meets it again
      return true;
    }
  }

  private Map<String, TimeRange> timesIn(Block wanted) throws IOException {
    Map<String, TimeRange> times = new HashMap<>();
    try {
      List<Chunk> chunks = new ArrayList<>();
      if (left.size() > 64) {
        chunks.addAll(wanted.chunks().all());
      } else {
        for (ChannelTarget channel : left) {
          chunks.addAll(wanted.chunks().find(channel.name()));
        }
      }
      for (Chunk chunk : chunks) {
        if (range.meets(chunk.firstNanos(), chunk.lastNanos())) {
          TimeRange more = new TimeRange(chunk.firstNanos(), EpochNanos.plus(chunk.lastNanos(), 1));
          TimeRange before = times.get(chunk.channel());
          times.put(
              chunk.channel(),
              before == null
                  ? more
                  : new TimeRange(
                      Math.min(before.fromNanos(), more.fromNanos()),
                      Math.max(before.toNanos(), more.toNanos())));
        }
      }
    } catch (CorruptBlockException e) {
      // reading it will say so and go to the raw log
      left.forEach(channel -> times.put(channel.name(), TimeRange.ALL));
    }
    return times;
  }

  /** Takes the last events of the channels in a few segments. */
  private void takeLast(PlannedRange planned) throws IOException {
    Map<Integer, Last> last = new HashMap<>();
    scan(planned, range, run -> last.computeIfAbsent(run.channel(), any -> new Last()).take(run));
    for (ChannelTarget channel : planned.channels()) {
      Last known = last.get(channel.index());
      HeldSearchState result = found.get(channel);
      if (known != null && result != null) {
        result.event(EventState.of(known.state));
        if (known.value != null) {
          result.value(known.value, known.orderKey);
        }
      }
    }
    leaveSettled();
  }

  private void leaveSettled() {
    left.removeIf(channel -> found.getOrDefault(channel, new HeldSearchState()).isSettled());
  }

  /** The last events of a channel in a few segments. */
  private static final class Last {
    private int state;
    private @Nullable EventColumns value;
    private long orderKey;

    void take(EventRuns run) throws IOException {
      EventColumns columns = run.columns();
      state = columns.state[run.to() - 1];
      int row = run.to() - 1;
      while (row >= run.from() && columns.state[row] != EventState.VALUE_CODE) {
        row--;
      }
      if (row >= run.from()) {
        value = new EventColumns(columns.type(), columns.waveform(), 1);
        RowCopies.append(columns, row, row + 1, value);
        orderKey = run.orderKey(row);
      }
    }
  }

  /** Is shown every run of a scan. */
  @FunctionalInterface
  interface Visitor {
    void visit(EventRuns run) throws IOException;
  }

  /** Reads events of a range. */
  @FunctionalInterface
  interface Scan {
    void scan(PlannedRange planned, TimeRange times, Visitor visitor) throws IOException;
  }

  private void scan(PlannedRange planned, TimeRange times, Visitor visitor) throws IOException {
    CoverageBuilder report =
        new CoverageBuilder(context.groupPairs().group(), range, disorderBoundNanos);
    GroupRead groupRead =
        new GroupRead(
            List.of(planned),
            context.resolver(),
            report,
            planned.channels().size(),
            0,
            times,
            false);
    try (GroupSource source = new GroupSource(groupRead, planner)) {
      while (source.next()) {
        visitor.visit(source);
      }
    }
    missing.addAll(report.report().missing());
  }

  /** Asks the milestone where the readable log begins, if the raw log is there. */
  private void askEarliest() throws IOException {
    PlannedRange planned = earliest;
    earliest = null;
    if (planned == null || left.isEmpty()) {
      return;
    }
    PairLog log = planned.content().log();
    if (log == null) {
      return;
    }
    if (planned.readRange() instanceof StoredRange stored) {
      ask(log, stored.block().segment(stored.fromSegment()).startOffset(), planned, true);
    } else if (planned.readRange() instanceof RawRange raw) {
      ask(log, raw.fromOffset(), planned, true);
    }
  }

  /**
   * Asks a milestone for the channels that are left.
   *
   * @param isFirst whether nothing before it can be read for the question: what it says of times
   *     before the group's log, or in what cannot be read, is believed
   */
  private void ask(PairLog log, long offset, PlannedRange planned, boolean isFirst)
      throws IOException {
    HeldMilestone milestone =
        HeldMilestone.read(
            log, offset, left, range, EpochNanos.minus(query.atNanos(), disorderBoundNanos));
    if (milestone == null) {
      return;
    }
    Map<ChannelTarget, HeldSearchState> open = new LinkedHashMap<>(found);
    open.keySet().retainAll(left);
    milestone.settle(
        open, new HeldConfirmation(planner, context, planned, offset), isFirst, this::scan);
    leaveSettled();
  }
}
