package org.kblake.query.internal.grid;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.internal.store.chunk.SparseChunkReader;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.coverage.SegmentCoverage;
import org.kblake.query.internal.held.HeldLookup;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.StoredRange;
import org.kblake.query.internal.reading.GroupAnswer;
import org.kblake.query.internal.reading.RangeCoverage;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.ReadListener;

/**
 * The values that channels of one group hold at the points of a grid. Several points are processed
 * at a time. {@link GridBudget} limits their number.
 *
 * <p>The values at the first point are found by {@link HeldLookup}. After it, the segments are read
 * that may have events of the grid's times: those of the raw log one after the other, and of blocks
 * the pages that the points need.
 */
public final class GroupGrid implements GroupAnswer, Closeable {

  private final GridQuery query;
  private final Reading reading;
  private final GridEvents events;
  private final OrderedReports inLogOrder = new OrderedReports();
  private final SparseChunkReader probe = new SparseChunkReader();
  private final Map<ValueShape, EventColumns> room = new TreeMap<>();
  private final List<CoverageSpan> missing = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();

  /** The feeds in log order. */
  private List<Active> feeds = new ArrayList<>();

  private boolean begun;
  private long point = -1;
  private final long points;
  private long lastPoint = -1;
  private long windowPoints;

  private final GridBudget budget;

  /** A feed, and the number under which it reports. */
  private record Active(GridFeed feed, int unit) {}

  /**
   * @param reading the requested channels, numbered from 0 in this order, in the grid's range; its
   *     pairs include the look-back
   * @param budget the budget of all groups
   */
  public GroupGrid(Reading reading, GridQuery query, GridBudget budget) {
    this.reading = reading;
    this.query = query;
    events = new GridEvents(query, reading.channels());
    points = query.points();
    windowPoints = GridBudget.FIRST_POINTS;
    this.budget = budget;
  }

  /** Moves to the next point. */
  public void next() throws IOException {
    point++;
    if (point > lastPoint) {
      lastPoint = Math.min(points - 1, point + windowPoints - 1);
      deliver(new GridWindow(query, point, lastPoint));
    }
    events.goTo(point, lastPoint, query.pointNanos(point), query.oldestNanos(point));
    if (query.hasConnections()) {
      events.connections().goTo(Math.min(query.pointNanos(point), query.connectionsToNanos() - 1));
    }
  }

  /** Moves after the last point, where only connection events are left. */
  public void end() throws IOException {
    deliver(new GridWindow(query, points, points));
    for (Active active : feeds) {
      end(active);
    }
    feeds = List.of();
    events.connections().goTo(Long.MAX_VALUE);
    close();
  }

  private void deliver(GridWindow next) throws IOException {
    if (!begun) {
      begun = true;
      begin();
    }
    List<Active> left = new ArrayList<>();
    List<Active> turns = new ArrayList<>(feeds);
    for (int i = 0; i < turns.size(); i++) {
      Active active = turns.get(i);
      try {
        if (active.feed().deliver(next)) {
          left.add(active);
        } else {
          end(active);
        }
      } catch (CorruptBlockException | NoSuchFileException e) {
        turns.addAll(i + 1, instead(active, e));
      } catch (UnavailableException e) {
        reportUnread(active, e);
      }
    }
    feeds = left;
    events.settle();
    if (query.nullInGaps()) {
      events.missing(reading.report().stoppableReport().missing());
    }
    windowPoints = budget.pointsAfter(windowPoints, reading.plan().group(), events.bytes());
  }

  private void begin() throws IOException {
    HeldLookup search = HeldLookup.run(reading, query.atStart(), ReadListener.NONE);
    missing.addAll(search.missing());
    notes.addAll(search.notes());
    PointSpan first = new PointSpan(query);
    for (ChannelTarget channel : channels()) {
      HeldValue value = search.value(channel);
      if (value.isKnown()) {
        events
            .track(channel.index())
            .offer(first, search.orderKey(channel), Long.MIN_VALUE, 0, value.row(), 0);
      }
    }
    GridStates states = events.states();
    if (states != null) {
      for (ChannelTarget channel : channels()) {
        HeldValue value = search.value(channel);
        if (value.connection() != HeldValue.Connection.UNKNOWN) {
          boolean isDisconnected = value.connection() == HeldValue.Connection.DISCONNECTED;
          states.offer(
              channel.index(),
              first,
              query.startNanos(),
              search.stateOrderKey(channel),
              Long.MIN_VALUE,
              1,
              isDisconnected ? EventState.DISCONNECTED : EventState.CONNECTED);
        }
      }
      events.answered(AnsweredTimes.read(again()));
    }
    for (PlannedRange planned : reading.ranges()) {
      add(planned, -1, false, feeds);
    }
  }

  private Reading again() throws IOException {
    Readings shared = reading.shared().withoutReadAhead();
    TimeRange range = query.range();
    GroupPlan plan =
        shared
            .planner()
            .plan(
                reading.plan().group(),
                query.scope().between(range).lookBackNanos(0),
                range,
                EpochNanos.of(Instant.now()));
    return shared.of(plan, channels());
  }

  private List<ChannelTarget> channels() {
    return events.channels();
  }

  /**
   * @param unit the number under which the feeds report; -1 for new numbers
   */
  private void add(PlannedRange planned, int unit, boolean logOrder, List<Active> to)
      throws IOException {
    if (planned.readRange() instanceof StoredRange stored) {
      int own = unitOf(unit);
      to.add(new Active(new StoredGridFeed(planned, stored, events, probe, room), own));
      return;
    }
    RawRange raw = (RawRange) planned.readRange();
    List<IndexSegment> ascending = new ArrayList<>();
    for (IndexSegment segment : raw.segmentsMeeting(query.range())) {
      if (!ascending.isEmpty()
          && ascending.get(ascending.size() - 1).earliestNanos() > segment.earliestNanos()) {
        to.add(rawFeed(planned, raw, ascending, unitOf(unit), logOrder));
        ascending = new ArrayList<>();
      }
      ascending.add(segment);
    }
    if (!ascending.isEmpty()) {
      to.add(rawFeed(planned, raw, ascending, unitOf(unit), logOrder));
    }
  }

  private int unitOf(int unit) {
    if (unit < 0) {
      return inLogOrder.add();
    }
    inLogOrder.count(unit, 1);
    return unit;
  }

  private Active rawFeed(
      PlannedRange planned, RawRange raw, List<IndexSegment> segments, int unit, boolean logOrder) {
    return new Active(
        new RawGridFeed(
            planned,
            List.copyOf(segments),
            events,
            logOrder,
            segment ->
                inLogOrder.report(
                    unit, reporting(planned, List.of(RangeCoverage.of(segment, raw))))),
        unit);
  }

  private Runnable reporting(PlannedRange planned, List<SegmentCoverage> segments) {
    return () -> reading.report(planned, segments);
  }

  private void end(Active active) throws IOException {
    active.feed().close();
    PlannedRange planned = active.feed().planned();
    if (planned.readRange() instanceof StoredRange stored) {
      inLogOrder.report(active.unit(), reporting(planned, RangeCoverage.of(stored, planned)));
    }
    inLogOrder.count(active.unit(), -1);
  }

  /**
   * Makes feeds that replace a failed one. They deliver its events again, which changes nothing.
   */
  private List<Active> instead(Active failed, IOException e) throws IOException {
    failed.feed().close();
    List<Active> instead = new ArrayList<>();
    for (PlannedRange planned : reading.instead(failed.feed().planned(), e, false)) {
      add(planned, failed.unit(), true, instead);
    }
    inLogOrder.count(failed.unit(), -1);
    return instead;
  }

  /** Reports the rest of a raw range, which cannot be read any more. */
  private void reportUnread(Active failed, UnavailableException e) throws IOException {
    failed.feed().close();
    if (!(failed.feed().planned().readRange() instanceof RawRange raw)) {
      throw e;
    }
    reading.reportUnread(raw, e);
    inLogOrder.count(failed.unit(), -1);
  }

  @Override
  public Reading reading() {
    return reading;
  }

  public GridEvents events() {
    return events;
  }

  @Override
  public CoverageReport coverage() {
    return coverage(reading.report().report());
  }

  @Override
  public CoverageReport stoppableCoverage() throws InterruptedIOException {
    return coverage(reading.report().stoppableReport());
  }

  private CoverageReport coverage(CoverageReport range) {
    List<CoverageSpan> spans = new ArrayList<>(missing);
    spans.addAll(range.spans());
    Set<String> all = new LinkedHashSet<>(notes);
    all.addAll(range.notes());
    return new CoverageReport(
        range.range(), spans, range.strays(), range.backwardSteps(), List.copyOf(all));
  }

  @Override
  public void close() throws IOException {
    List<Closeable> open = new ArrayList<>();
    feeds.forEach(active -> open.add(active.feed()));
    open.add(probe);
    feeds = List.of();
    FirstFailure.closeAll(open.toArray(Closeable[]::new));
  }
}
