package org.kblake.query.internal.trend;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.held.HeldLookup;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.reading.GroupAnswer;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.source.RowOrder;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.TrendQuery;

/**
 * The aggregates of channels of one group, window after window.
 *
 * <p>A window's events are read in one pass ({@link EventPass}), in two if held values are needed
 * ({@link HeldPass}).
 */
public final class GroupTrend implements GroupAnswer {

  private final TrendQuery query;
  private final Reading whole;
  private final List<ChannelTarget> channels;
  private final boolean[] rows;

  private final double[] values = new double[EventColumns.PAGE_ROWS];

  /** Bytes of log of the windows before. Any thread may read it, and the report of this window. */
  private final AtomicLong bytesBefore = new AtomicLong();

  private volatile @Nullable CoverageBuilder present;

  private final List<CoverageSpan> spans = new ArrayList<>();
  private final List<CoverageSpan> missingBefore = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private long strays;
  private long backwardSteps;
  private long rollupRows;

  private ChannelTrend[] trends = {};

  /** The bins of the window that missing spans meet. */
  private BitSet unread = new BitSet();

  /** Whether the value held at the begin of the next bin may be outdated, by channel. */
  private final boolean[] outdated;

  private final boolean[] incomplete;

  /**
   * @param whole the requested channels, numbered from 0 in this order, in all bins
   * @param rows whether the values of each channel are texts or lists
   */
  public GroupTrend(Reading whole, TrendQuery query, boolean[] rows) {
    this.whole = whole;
    this.query = query;
    channels = whole.channels();
    this.rows = rows.clone();
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
    Reading first = window.range().equals(query.range()) ? whole : plan(window);
    present = first.report();
    CoverageReport report =
        query.hasHeldValues() ? readHeld(window, first) : readEvents(window, first);
    unread = unread(window, report);
    add(report);
  }

  private CoverageReport readEvents(TrendWindow window, Reading first) throws IOException {
    return Reading.channelsElseLog(order -> run(new EventPass(input(window, first, order))));
  }

  private CoverageReport run(EventPass pass) throws IOException {
    pass.run();
    rollupRows += pass.rollupRows();
    trends = pass.into();
    return pass.coverage();
  }

  private CoverageReport readHeld(TrendWindow window, Reading first) throws IOException {
    HeldQuery start = new HeldQuery(query.scope().at(window.fromNanos()));
    HeldLookup search = HeldLookup.run(first, start, ReadListener.NONE);
    for (CoverageSpan span : search.missing()) {
      if (!isReported(span)) {
        missingBefore.add(span);
        Arrays.fill(outdated, true);
      }
    }
    notes.addAll(search.notes());
    boolean usesRollups = query.mask() == null;
    Optional<CoverageReport> report =
        Reading.channelsElseLog(
            order ->
                Optional.ofNullable(
                    run(new HeldPass(input(window, first, order), search, usesRollups, null))));
    // Events that were read in place of some rows are missing. They decide about the known time.
    return report.isPresent()
        ? report.get()
        : Objects.requireNonNull(
            run(new HeldPass(input(window, first, RowOrder.LOG), search, false, null)));
  }

  private @Nullable CoverageReport run(HeldPass pass) throws IOException {
    CoverageReport report = pass.run();
    rollupRows += report == null ? 0 : pass.rollupRows();
    trends = pass.into();
    return report;
  }

  private Reading plan(TrendWindow window) throws IOException {
    long now = EpochNanos.of(Instant.now());
    Planner planner = whole.shared().planner();
    return whole
        .shared()
        .of(planner.plan(whole.plan().group(), query.scope(), window.range(), now), channels);
  }

  /** Plans a window again, after a part of it was read. */
  private Reading again(TrendWindow window) throws IOException {
    Reading again = plan(window);
    present = again.report();
    return again;
  }

  /**
   * @param first the reading of the window, of which nothing was read in the order of channels
   */
  private RollupPass.Input input(TrendWindow window, Reading first, RowOrder order)
      throws IOException {
    Reading reading = order == RowOrder.LOG ? again(window) : first;
    ChannelTrend[] into = new ChannelTrend[channels.size()];
    for (int i = 0; i < into.length; i++) {
      into[i] = new ChannelTrend(window, query.aggregates(), rows[i], query.mask(), values);
    }
    return new RollupPass.Input(reading, query, window, into, order);
  }

  /**
   * Returns whether earlier windows, or the look-back of the first one, have reported all times of
   * a missing span. What they could read may be missing now.
   */
  private boolean isReported(CoverageSpan span) throws InterruptedIOException {
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
  private static long endOfMissing(List<CoverageSpan> reported, long nanos)
      throws InterruptedIOException {
    long end = nanos;
    for (CoverageSpan span : reported) {
      Interruption.check();
      if (span.missing() && span.range().contains(nanos)) {
        end = Math.max(end, span.range().toNanos());
      }
    }
    return end;
  }

  private void add(CoverageReport report) throws InterruptedIOException {
    for (CoverageSpan span : report.spans()) {
      Interruption.check();
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

  /** Joins the spans of two windows that are one span; null if they are not. */
  private static @Nullable CoverageSpan joined(CoverageSpan a, CoverageSpan b) {
    // Spans that became missing while they were read stand behind the others, so times may step
    // back.
    if (a.range().toNanos() != b.range().fromNanos()) {
      return null;
    }
    CoverageSpan joined =
        new CoverageSpan(
            a.group(),
            a.kind(),
            new TimeRange(a.range().fromNanos(), b.range().toNanos()),
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
    return joined.equals(expected) ? joined : null;
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

  /** Returns the number of rows of rollups that took the place of events so far. */
  public long rollupRows() {
    return rollupRows;
  }

  /** Returns the bytes of log that correspond to the events read so far. Any thread may call it. */
  @Override
  public long bytesRead() {
    CoverageBuilder now = present;
    return bytesBefore.get() + (now == null ? 0 : now.bytesRead());
  }

  /** Returns the coverage of the windows so far, and before them that of the look-back. */
  @Override
  public CoverageReport coverage() {
    List<CoverageSpan> all = new ArrayList<>(missingBefore);
    all.addAll(spans);
    return new CoverageReport(query.range(), all, strays, backwardSteps, List.copyOf(notes));
  }

  @Override
  public CoverageReport stoppableCoverage() {
    return coverage();
  }

  @Override
  public Reading reading() {
    return whole;
  }
}
