package org.kblake.query.internal.trend;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.held.HeldSearch;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.source.EventRuns;
import org.kblake.query.internal.source.GroupSource;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.TrendQuery;

/**
 * The aggregates of channels of one group, window after window.
 *
 * <p>A window's events are read in one pass. If held values are needed, those of its segments that
 * are earlier than the window are read, too, because they may be later in log order. After this
 * pass the coverage is known, and which events are earlier than others before them. A second pass
 * then integrates the held values.
 */
public final class GroupTrend {

  private final TrendSources sources;
  private final TrendQuery query;
  private final GroupPlan whole;
  private final List<ChannelTarget> channels;
  private final boolean[] rows;

  /** The number of the channel, by the answer's index of its name. */
  private final int[] channelOf;

  private final double[] values = new double[EventColumns.PAGE_ROWS];

  /** Bytes of log of the windows before. Any thread may read it, and the report of this window. */
  private final AtomicLong bytesBefore = new AtomicLong();

  private volatile @Nullable CoverageBuilder present;

  private final List<CoverageSpan> spans = new ArrayList<>();
  private final List<CoverageSpan> missingBefore = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private long strays;
  private long backwardSteps;

  private ChannelTrend[] trends = {};

  /** The bins of the window that missing spans meet. */
  private BitSet unread = new BitSet();

  /** Whether the value held at the begin of the next bin may be outdated, by channel. */
  private final boolean[] outdated;

  private final boolean[] incomplete;

  /**
   * @param whole the plan of all bins
   * @param channels the requested channels, numbered from 0 in this order
   * @param rows whether the values of each channel are texts or lists
   * @param names number of names in the answer
   */
  public GroupTrend(
      TrendSources sources,
      GroupPlan whole,
      List<ChannelTarget> channels,
      boolean[] rows,
      int names) {
    this.sources = sources;
    this.whole = whole;
    query = sources.query();
    this.channels = channels;
    this.rows = rows.clone();
    channelOf = new int[names];
    for (int i = 0; i < channels.size(); i++) {
      channelOf[channels.get(i).index()] = i;
    }
    outdated = new boolean[channels.size()];
    incomplete = new boolean[channels.size()];
  }

  /** Reads the events of the next window. */
  public void read(TrendWindow window) throws IOException {
    trends = new ChannelTrend[0];
    CoverageBuilder before = present;
    if (before != null) {
      bytesBefore.addAndGet(before.bytesRead());
    }
    GroupPlan plan =
        window.range().equals(query.range())
            ? whole
            : sources.plan(whole.groupPairs().group(), window.range());
    present = plan.report();
    ChannelTrend[] filled = new ChannelTrend[channels.size()];
    for (int i = 0; i < filled.length; i++) {
      filled[i] = new ChannelTrend(window, query.aggregates(), rows[i], values);
    }
    CoverageReport report =
        query.hasHeldValues() ? readHeld(window, plan, filled) : readEvents(window, plan, filled);
    trends = filled;
    unread = unread(window, report);
    add(report);
  }

  private CoverageReport readEvents(TrendWindow window, GroupPlan plan, ChannelTrend[] into)
      throws IOException {
    GroupRead read =
        TrendSources.read(plan, channels, window.range(), window.range(), plan.report());
    try (EventRuns runs = sources.open(read, false)) {
      while (runs.next()) {
        into[channelOf[runs.channel()]].add(runs.columns(), runs.from(), runs.to());
      }
    }
    return plan.report().report();
  }

  private CoverageReport readHeld(TrendWindow window, GroupPlan plan, ChannelTrend[] into)
      throws IOException {
    HeldQuery start =
        new HeldQuery(
            query.channels(),
            window.fromNanos(),
            query.lookBackNanos(),
            query.source(),
            query.allowIncomplete());
    HeldSearch search = sources.search(plan, start, channels);
    for (CoverageSpan span : search.missing()) {
      if (!isReported(span)) {
        missingBefore.add(span);
        Arrays.fill(outdated, true);
      }
    }
    notes.addAll(search.notes());
    BackwardEvents[] backward = new BackwardEvents[into.length];
    DisconnectedSpans[] disconnected = new DisconnectedSpans[into.length];
    for (int i = 0; i < into.length; i++) {
      backward[i] = new BackwardEvents();
      disconnected[i] = new DisconnectedSpans();
    }
    TimeRange events = new TimeRange(Long.MIN_VALUE, window.toNanos());
    GroupRead first = TrendSources.read(plan, channels, window.range(), events, plan.report());
    try (GroupSource runs = sources.open(first, true)) {
      Start[] starts = starts(search, true);
      while (runs.next()) {
        int channel = channelOf[runs.channel()];
        EventColumns columns = runs.columns();
        into[channel].add(columns, runs.from(), runs.to());
        addOrder(runs, starts[channel], window, backward[channel], disconnected[channel]);
      }
      for (int i = 0; i < starts.length; i++) {
        starts[i].connect(window, disconnected[i]);
      }
    }
    CoverageReport report = plan.report().report();
    HeldIntegral[] integrals = new HeldIntegral[into.length];
    for (int i = 0; i < into.length; i++) {
      KnownSpans known = new KnownSpans(report, channels.get(i).name(), disconnected[i]);
      integrals[i] = new HeldIntegral(window, query.lookBackNanos(), known, backward[i]);
      into[i].held(integrals[i]);
    }
    return integrate(window, plan, search, integrals, report);
  }

  /**
   * Returns whether earlier windows, or the look-back of the first one, have reported all times of
   * a missing span. What they could read may be missing now.
   */
  private boolean isReported(CoverageSpan span) {
    long at = span.range().fromNanos();
    boolean found = true;
    while (found && at < span.range().toNanos()) {
      long end = Math.max(endOfMissing(missingBefore, at), endOfMissing(spans, at));
      found = end > at;
      at = end;
    }
    return found;
  }

  /** Returns the end of a missing span that has a time; the time if none has it. */
  private static long endOfMissing(List<CoverageSpan> reported, long nanos) {
    long end = nanos;
    for (CoverageSpan span : reported) {
      if (span.missing() && span.range().contains(nanos)) {
        end = Math.max(end, span.range().toNanos());
      }
    }
    return end;
  }

  /** The value event, or the event of any kind, that decides at the begin of a window. */
  private static final class Start {
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
        integral.begin(value.sinceNanos(), ChannelTrend.number(value.row(), 0));
      }
    }
  }

  private Start[] starts(HeldSearch search, boolean connections) {
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

  private static void addOrder(
      GroupSource runs,
      Start start,
      TrendWindow window,
      BackwardEvents backward,
      DisconnectedSpans disconnected)
      throws IOException {
    EventColumns columns = runs.columns();
    for (int row = runs.from(); row < runs.to(); row++) {
      long nanos = columns.timeNanos[row];
      if (columns.state[row] == EventState.VALUE_CODE) {
        backward.add(nanos);
      }
      if (!start.isBehind(runs, row)) {
        start.connect(window, disconnected);
        disconnected.add(nanos, columns.state[row]);
      }
    }
  }

  /** Integrates the held values, and returns the coverage of both passes. */
  private CoverageReport integrate(
      TrendWindow window,
      GroupPlan plan,
      HeldSearch search,
      HeldIntegral[] integrals,
      CoverageReport coverage)
      throws IOException {
    CoverageBuilder again = sources.report(whole.groupPairs().group(), window.range());
    TimeRange events = new TimeRange(Long.MIN_VALUE, window.toNanos());
    Start[] starts = starts(search, false);
    try (GroupSource runs =
        sources.open(TrendSources.read(plan, channels, window.range(), events, again), true)) {
      while (runs.next()) {
        int channel = channelOf[runs.channel()];
        integrate(runs, starts[channel], integrals[channel]);
      }
    }
    for (int i = 0; i < integrals.length; i++) {
      starts[i].hold(integrals[i]);
      integrals[i].end();
    }
    Set<CoverageSpan> more = new LinkedHashSet<>(again.report().missing());
    coverage.missing().forEach(more::remove);
    if (more.isEmpty()) {
      return coverage;
    }
    List<CoverageSpan> all = new ArrayList<>(coverage.spans());
    all.addAll(more);
    return new CoverageReport(
        coverage.range(), all, coverage.strays(), coverage.backwardSteps(), coverage.notes());
  }

  private static void integrate(GroupSource runs, Start start, HeldIntegral integral)
      throws IOException {
    EventColumns columns = runs.columns();
    for (int row = runs.from(); row < runs.to(); row++) {
      if (columns.state[row] == EventState.VALUE_CODE) {
        if (start.isBehind(runs, row)) {
          integral.skip();
        } else {
          start.hold(integral);
          integral.add(columns.timeNanos[row], ChannelTrend.number(columns, row));
        }
      }
    }
  }

  private void add(CoverageReport report) {
    for (CoverageSpan span : report.spans()) {
      CoverageSpan last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
      CoverageSpan joined = last == null ? null : joined(last, span);
      if (joined == null) {
        spans.add(span);
      } else {
        spans.set(spans.size() - 1, joined);
      }
    }
    strays += report.strays();
    backwardSteps += report.backwardSteps();
    notes.addAll(report.notes());
  }

  /** Joins the parts of a span that two windows divide; null if these are not such parts. */
  private static @Nullable CoverageSpan joined(CoverageSpan a, CoverageSpan b) {
    long at = b.range().fromNanos();
    CoverageSpan joined =
        new CoverageSpan(
            a.group(),
            a.kind(),
            new TimeRange(a.range().fromNanos(), Math.max(at, b.range().toNanos())),
            a.file(),
            a.bytes() + b.bytes(),
            a.missing(),
            a.detail(),
            a.absent());
    CoverageSpan expected =
        new CoverageSpan(
            b.group(),
            b.kind(),
            joined.range(),
            b.file(),
            joined.bytes(),
            b.missing(),
            b.detail(),
            b.absent());
    return a.range().toNanos() == at && joined.equals(expected) ? joined : null;
  }

  private static BitSet unread(TrendWindow window, CoverageReport report) {
    BitSet bins = new BitSet();
    for (CoverageSpan span : report.missing()) {
      long from = Math.max(window.fromNanos(), span.range().fromNanos());
      long to = Math.min(window.toNanos(), span.range().toNanos());
      if (from < to) {
        bins.set(window.binOf(from), window.binOf(to - 1) + 1);
      }
    }
    return bins;
  }

  /** Moves to a bin of the window. Bins are passed in order. */
  public void goTo(int bin) {
    for (int i = 0; i < incomplete.length; i++) {
      boolean wasOutdated = outdated[i] && query.hasHeldValues();
      incomplete[i] = unread.get(bin) || wasOutdated;
      outdated[i] = unread.get(bin) || wasOutdated && trends[i].count(bin) == 0;
    }
  }

  /** Returns whether events of the bin may be missing, or its held value may be outdated. */
  public boolean isIncomplete(int channel) {
    return incomplete[channel];
  }

  /** Returns whether the values of a channel are texts or lists. */
  public boolean isRows(int channel) {
    return rows[channel];
  }

  /** Returns the aggregates of a channel in the present window. */
  public ChannelTrend trend(int channel) {
    return trends[channel];
  }

  /** Returns the bytes of log that correspond to the events read so far. Any thread may call it. */
  public long bytesRead() {
    CoverageBuilder now = present;
    return bytesBefore.get() + (now == null ? 0 : now.bytesRead());
  }

  /** Returns the coverage of the windows so far, and before them that of the look-back. */
  public CoverageReport coverage() {
    List<CoverageSpan> all = new ArrayList<>(missingBefore);
    all.addAll(spans);
    return new CoverageReport(query.range(), all, strays, backwardSteps, List.copyOf(notes));
  }
}
