package org.kblake.query.internal.trend;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.store.rollup.RollupColumn;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.internal.coverage.AbsentChannels;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.held.HeldLookup;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.reading.GroupSource;
import org.kblake.query.internal.rollup.BlockRollups;
import org.kblake.query.internal.rollup.RollupRanges;
import org.kblake.query.question.TrendQuery;

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

  private final RollupPass.Input input;
  private final HeldLookup search;
  private final boolean usesRollups;
  private final @Nullable ConditionTimes times;
  private long rollupRows;

  /**
   * @param search the values at the begin of the window
   * @param usesRollups whether rows of rollups take the place of events
   * @param times receives the times at which a condition is met; null for none
   */
  HeldPass(
      RollupPass.Input input,
      HeldLookup search,
      boolean usesRollups,
      @Nullable ConditionTimes times) {
    this.times = times;
    this.input = input;
    this.search = search;
    this.usesRollups = usesRollups;
  }

  /**
   * Fills the aggregates of each channel, and returns the coverage of both passes.
   *
   * @return null if rollups were used, and some of the other events are missing
   */
  @Nullable CoverageReport run() throws IOException {
    ChannelTrend[] into = input.into();
    BackwardEvents[] backward = new BackwardEvents[into.length];
    DisconnectedSpans[] disconnected = new DisconnectedSpans[into.length];
    for (int i = 0; i < into.length; i++) {
      backward[i] = new BackwardEvents();
      disconnected[i] = new DisconnectedSpans();
    }
    FirstPass first = new FirstPass(backward, disconnected);
    first.run();
    CoverageReport coverage = input.reading().report().stoppableReport();
    AbsentChannels absent = new AbsentChannels();
    HeldIntegral[] integrals = new HeldIntegral[into.length];
    for (int i = 0; i < into.length; i++) {
      TrendQuery query = input.query();
      KnownSpans known =
          new KnownSpans(
              coverage, absent, input.channels().get(i).name(), disconnected[i], query.mask());
      integrals[i] =
          new HeldIntegral(input.window(), query.lookBackNanos(), known, backward[i], times);
      into[i].held(integrals[i]);
    }
    CoverageBuilder further = input.reading().emptyReport();
    SecondPass second = new SecondPass(integrals, further);
    second.run();
    rollupRows = second.rollupRows();
    if (first.isMissing() || second.isMissing()) {
      return null;
    }
    return coverage.withMissing(further.stoppableReport().missing());
  }

  /** Returns the aggregates of each channel. */
  ChannelTrend[] into() {
    return input.into();
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
    boolean isBehind(GroupSource rows, int row) throws IOException {
      return pending && rows.orderKey(row) < orderKey;
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
    Start[] starts = new Start[input.channels().size()];
    for (int i = 0; i < starts.length; i++) {
      ChannelTarget channel = input.channels().get(i);
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

  /** Passes over all events, also those before the window. */
  private abstract class Pass extends RollupPass {

    Pass(CoverageBuilder report) {
      super(input, report, new TimeRange(Long.MIN_VALUE, input.window().toNanos()), true);
    }

    @Override
    final boolean usesRollups() {
      return usesRollups;
    }

    @Override
    final @Nullable RollupRanges find(BlockRollups rollups, int channel, String record)
        throws IOException {
      ChannelTarget target = input.channels().get(channel);
      return rollups.findHeld(
          record,
          input.window().rollupBins(),
          input.query().lookBackNanos(),
          Math.max(search.orderKey(target), search.stateOrderKey(target)));
    }
  }

  /** Adds aggregates of events, and finds backward events and disconnected times. */
  private final class FirstPass extends Pass {

    private final ChannelTrend[] trends;
    private final BackwardEvents[] backward;
    private final DisconnectedSpans[] disconnected;
    private final Start[] starts = starts(true);

    FirstPass(BackwardEvents[] backward, DisconnectedSpans[] disconnected) {
      super(input.reading().report());
      this.trends = input.into();
      this.backward = backward;
      this.disconnected = disconnected;
    }

    @Override
    void run() throws IOException {
      super.run();
      for (int i = 0; i < starts.length; i++) {
        starts[i].connect(input.window(), disconnected[i]);
      }
    }

    @Override
    void add(int channel, GroupSource rows) throws IOException {
      EventColumns events = rows.columns();
      trends[channel].add(events, rows.from(), rows.to());
      for (int row = rows.from(); row < rows.to(); row++) {
        long nanos = events.timeNanos[row];
        if (events.state[row] == EventState.VALUE_CODE) {
          backward[channel].add(nanos);
        }
        if (!starts[channel].isBehind(rows, row)) {
          starts[channel].connect(input.window(), disconnected[channel]);
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
      starts[channel].connect(input.window(), disconnected[channel]);
      disconnected[channel].add(first, EventState.VALUE_CODE);
      return true;
    }
  }

  /** Integrates the held values. */
  private final class SecondPass extends Pass {

    private final HeldIntegral[] integrals;
    private final Start[] starts = starts(false);

    SecondPass(HeldIntegral[] integrals, CoverageBuilder report) {
      super(report);
      this.integrals = integrals;
    }

    /** The first pass has reported them. */
    @Override
    boolean reportsBlocks() {
      return false;
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
    void add(int channel, GroupSource rows) throws IOException {
      EventColumns events = rows.columns();
      for (int row = rows.from(); row < rows.to(); row++) {
        if (events.state[row] == EventState.VALUE_CODE) {
          if (starts[channel].isBehind(rows, row)) {
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
