package org.kblake.query.internal.trend;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.store.rollup.RollupColumn;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.held.HeldLookup;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.CoverageReporter;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.plan.GroupRead.PlannedRange;
import org.kblake.query.internal.rollup.BlockRun;
import org.kblake.query.internal.rollup.RollupPieces;
import org.kblake.query.internal.rollup.RunRollups;
import org.kblake.query.internal.source.GroupSource;

/**
 * The aggregates of a window whose held values are needed, in two passes over its events in log
 * order.
 *
 * <p>Events of its segments that are earlier than the window are read, too, because they may be
 * later in log order. After the first pass the coverage is known, and which events are earlier than
 * others before them. The second pass then integrates the held values. Rows of rollups take the
 * place of events whose values are held one after the other.
 */
final class HeldPass {

  private final TrendSources sources;
  private final TrendWindow window;
  private final List<ChannelTarget> channels;
  private final int[] channelOf;
  private final HeldLookup search;
  private final Set<RollupColumn> columns;
  private final @Nullable ConditionTimes times;
  private long rollupRows;

  /**
   * @param channelOf the number of the channel, by the answer's index of its name
   * @param search the values at the begin of the window
   * @param times receives the times at which a condition is met; null for none
   */
  HeldPass(
      TrendSources sources,
      TrendWindow window,
      List<ChannelTarget> channels,
      int[] channelOf,
      HeldLookup search,
      @Nullable ConditionTimes times) {
    this.sources = sources;
    this.window = window;
    this.channels = channels;
    this.channelOf = channelOf;
    this.search = search;
    this.times = times;
    columns = RunRollups.columns(sources.query().aggregates());
  }

  /**
   * Fills the aggregates of each channel, and returns the coverage of both passes.
   *
   * @param usesRollups whether rows of rollups take the place of events
   * @return null if rollups were used, and some of the other events are missing
   */
  @Nullable CoverageReport run(GroupPlan plan, ChannelTrend[] into, boolean usesRollups)
      throws IOException {
    BackwardEvents[] backward = new BackwardEvents[into.length];
    DisconnectedSpans[] disconnected = new DisconnectedSpans[into.length];
    for (int i = 0; i < into.length; i++) {
      backward[i] = new BackwardEvents();
      disconnected[i] = new DisconnectedSpans();
    }
    FirstPass first = new FirstPass(plan, into, backward, disconnected, usesRollups);
    first.run();
    CoverageReport coverage = plan.report().report();
    HeldIntegral[] integrals = new HeldIntegral[into.length];
    for (int i = 0; i < into.length; i++) {
      KnownSpans known =
          new KnownSpans(coverage, channels.get(i).name(), disconnected[i], sources.query().mask());
      integrals[i] =
          new HeldIntegral(window, sources.query().lookBackNanos(), known, backward[i], times);
      into[i].held(integrals[i]);
    }
    SecondPass second = new SecondPass(plan, into, integrals, usesRollups);
    second.run();
    rollupRows = second.rows;
    if (first.isMissing() || second.isMissing()) {
      return null;
    }
    return coverage.withMissing(second.all.report().missing());
  }

  /** Returns the number of rows of rollups that took the place of events. */
  long rollupRows() {
    return rollupRows;
  }

  /** The value event, or the event of any kind, that decides at the begin of a window. */
  private final class Start {
    private final HeldValue value;
    private final long orderKey;
    private boolean pending;

    Start(HeldValue value, boolean pending, long orderKey) {
      this.value = value;
      this.pending = pending;
      this.orderKey = orderKey;
    }

    /** Returns whether an event is before this one in log order. */
    boolean isBehind(GroupSource runs, int row) throws IOException {
      return pending && runs.orderKey(row) < orderKey;
    }

    /** Adds the state at the begin of the window, if it is not added yet. */
    void connect(TrendWindow window, DisconnectedSpans disconnected) {
      if (pending) {
        pending = false;
        disconnected.add(
            window.fromNanos(),
            (value.connection() == HeldValue.Connection.DISCONNECTED
                    ? EventState.DISCONNECTED
                    : EventState.CONNECTED)
                .code());
      }
    }

    /** Adds the value at the begin of the window, if it is not added yet. */
    void hold(HeldIntegral integral) {
      if (pending) {
        pending = false;
        integral.begin(value.sinceNanos(), numberOf(value.row(), 0));
      }
    }
  }

  private Start[] starts(boolean connections) {
    Start[] starts = new Start[channels.size()];
    for (int i = 0; i < starts.length; i++) {
      ChannelTarget channel = channels.get(i);
      HeldValue value = search.value(channel);
      starts[i] =
          connections
              ? new Start(
                  value,
                  value.connection() != HeldValue.Connection.UNKNOWN,
                  search.stateOrderKey(channel))
              : new Start(value, value.isKnown(), search.orderKey(channel));
    }
    return starts;
  }

  /** Returns the number of which the integral is made. */
  private double numberOf(EventColumns events, int row) {
    ConditionTimes condition = times;
    return condition == null ? ChannelTrend.number(events, row) : condition.valueOf(events, row);
  }

  /** Passes over all events, range after range in log order. */
  private abstract class Pass {

    private final GroupPlan plan;
    private final ChannelTrend[] into;
    private final boolean usesRollups;

    /** Receives the coverage of all ranges. */
    final CoverageBuilder all;

    /** Receives the coverage of pieces whose ranges are reported already. */
    private final CoverageBuilder again;

    long rows;

    Pass(GroupPlan plan, ChannelTrend[] into, CoverageBuilder all, boolean usesRollups) {
      this.plan = plan;
      this.into = into;
      this.all = all;
      this.usesRollups = usesRollups;
      again = sources.report(plan.groupPairs().group(), window.range());
    }

    /** Adds a run of events. */
    abstract void add(int channel, GroupSource runs) throws IOException;

    /** Adds a row in place of its events. Returns false if the events are to be added. */
    abstract boolean add(int channel, RollupRows from, int row);

    /** Returns whether events that were read between rows of rollups are missing. */
    boolean isMissing() {
      return !again.report().missing().isEmpty();
    }

    void run() throws IOException {
      List<PlannedRange> ranges = GroupRead.ranges(plan, channels);
      List<PlannedRange> events = new ArrayList<>();
      int at = 0;
      while (at < ranges.size()) {
        int length = usesRollups ? BlockRun.length(ranges, at) : 0;
        List<PlannedRange> next = ranges.subList(at, at + Math.max(1, length));
        if (length == 0 || !addRollups(next, events)) {
          events.addAll(next);
        }
        at += next.size();
      }
      readEvents(events);
    }

    private boolean addRollups(List<PlannedRange> ranges, List<PlannedRange> before)
        throws IOException {
      BlockRun run = new BlockRun(BlockRun.stored(ranges.get(0)).block(), ranges);
      List<@Nullable RollupPieces> pieces = new ArrayList<>();
      List<ChannelTarget> rest = new ArrayList<>();
      try (RunRollups rollups = RunRollups.open(run, columns)) {
        for (int i = 0; i < channels.size(); i++) {
          RollupPieces found = find(rollups, i, ranges);
          pieces.add(found);
          if (found == null) {
            rest.add(channels.get(i));
          }
        }
      }
      if (rest.size() == channels.size()) {
        return false;
      }
      readEvents(before);
      before.clear();
      if (rest.isEmpty()) {
        CoverageReporter reporter = new CoverageReporter(all, channels.size());
        for (PlannedRange range : ranges) {
          reporter.report(range, CoverageReporter.coverage(BlockRun.stored(range), range));
        }
      } else {
        readEvents(BlockRun.of(ranges, rest));
      }
      for (int i = 0; i < channels.size(); i++) {
        RollupPieces found = pieces.get(i);
        if (found != null) {
          add(run, i, found);
        }
      }
      return true;
    }

    private @Nullable RollupPieces find(RunRollups rollups, int channel, List<PlannedRange> ranges)
        throws IOException {
      ChannelTarget target = channels.get(channel);
      String record = into[channel].isRows() ? null : EventPass.recordOf(target, ranges);
      return record == null
          ? null
          : rollups.findHeld(
              record,
              window.rollupBins(),
              sources.query().lookBackNanos(),
              Math.max(search.orderKey(target), search.stateOrderKey(target)));
    }

    private void add(BlockRun run, int channel, RollupPieces found) throws IOException {
      for (RollupPieces.Piece piece : found.pieces()) {
        TimeRange events = piece.events();
        if (events != null) {
          read(run, channel, piece.firstSegment(), piece.lastSegment(), events);
          continue;
        }
        for (int row = piece.fromRow(); row < piece.toRow(); row++) {
          if (add(channel, found.rows(), row)) {
            rows++;
          } else {
            long bin = found.rows().integer(RollupColumn.BIN, row);
            read(
                run,
                channel,
                (int) found.rows().integer(RollupColumn.FIRST_SEGMENT, row),
                (int) found.rows().integer(RollupColumn.LAST_SEGMENT, row),
                new TimeRange(bin, bin + found.widthNanos()));
          }
        }
      }
    }

    private void read(BlockRun run, int channel, int first, int last, TimeRange events)
        throws IOException {
      List<PlannedRange> within = run.within(first, last);
      read(BlockRun.of(within, List.of(channels.get(channel))), events, again);
    }

    private void readEvents(List<PlannedRange> ranges) throws IOException {
      if (!ranges.isEmpty()) {
        read(ranges, new TimeRange(Long.MIN_VALUE, window.toNanos()), all);
      }
    }

    private void read(List<PlannedRange> ranges, TimeRange events, CoverageBuilder report)
        throws IOException {
      GroupRead read =
          new GroupRead(
              ranges, plan.resolver(), report, channels.size(), 0, window.range(), events, false);
      try (GroupSource runs = sources.open(read, true)) {
        while (runs.next()) {
          add(channelOf[runs.channel()], runs);
        }
      }
    }
  }

  /** Adds aggregates of events, and finds backward events and disconnected times. */
  private final class FirstPass extends Pass {

    private final ChannelTrend[] trends;
    private final BackwardEvents[] backward;
    private final DisconnectedSpans[] disconnected;
    private final Start[] starts = starts(true);

    FirstPass(
        GroupPlan plan,
        ChannelTrend[] trends,
        BackwardEvents[] backward,
        DisconnectedSpans[] disconnected,
        boolean usesRollups) {
      super(plan, trends, plan.report(), usesRollups);
      this.trends = trends;
      this.backward = backward;
      this.disconnected = disconnected;
    }

    @Override
    void run() throws IOException {
      super.run();
      for (int i = 0; i < starts.length; i++) {
        starts[i].connect(window, disconnected[i]);
      }
    }

    @Override
    void add(int channel, GroupSource runs) throws IOException {
      EventColumns events = runs.columns();
      trends[channel].add(events, runs.from(), runs.to());
      for (int row = runs.from(); row < runs.to(); row++) {
        long nanos = events.timeNanos[row];
        if (events.state[row] == EventState.VALUE_CODE) {
          backward[channel].add(nanos);
        }
        if (!starts[channel].isBehind(runs, row)) {
          starts[channel].connect(window, disconnected[channel]);
          disconnected[channel].add(nanos, events.state[row]);
        }
      }
    }

    @Override
    boolean add(int channel, RollupRows from, int row) {
      long first = from.integer(RollupColumn.FIRST_TIME, row);
      trends[channel].add(from, row);
      backward[channel].addAscending(
          first, from.integer(RollupColumn.LAST_TIME, row), from.numbers(row));
      starts[channel].connect(window, disconnected[channel]);
      disconnected[channel].add(first, EventState.VALUE_CODE);
      return true;
    }
  }

  /** Integrates the held values. */
  private final class SecondPass extends Pass {

    private final HeldIntegral[] integrals;
    private final Start[] starts = starts(false);

    SecondPass(GroupPlan plan, ChannelTrend[] into, HeldIntegral[] integrals, boolean usesRollups) {
      super(plan, into, sources.report(plan.groupPairs().group(), window.range()), usesRollups);
      this.integrals = integrals;
    }

    @Override
    void run() throws IOException {
      super.run();
      for (int i = 0; i < integrals.length; i++) {
        starts[i].hold(integrals[i]);
        integrals[i].end();
      }
    }

    @Override
    void add(int channel, GroupSource runs) throws IOException {
      EventColumns events = runs.columns();
      for (int row = runs.from(); row < runs.to(); row++) {
        if (events.state[row] == EventState.VALUE_CODE) {
          if (starts[channel].isBehind(runs, row)) {
            integrals[channel].skip();
          } else {
            starts[channel].hold(integrals[channel]);
            integrals[channel].add(events.timeNanos[row], numberOf(events, row));
          }
        }
      }
    }

    @Override
    boolean add(int channel, RollupRows from, int row) {
      starts[channel].hold(integrals[channel]);
      return integrals[channel].add(from, row);
    }
  }
}
