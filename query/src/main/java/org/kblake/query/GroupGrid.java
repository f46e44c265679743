package org.kblake.query;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.kblake.core.log.IndexSegment;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.store.ChunkProbe;
import org.kblake.core.store.CorruptBlockException;
import org.kblake.core.store.EventColumns;
import org.kblake.query.Answer.PlannedLeg;
import org.kblake.query.arrow.ValueShape;

/**
 * The values that channels of one group hold at the points of a grid, some points at a time: as
 * many as are likely to take little memory.
 *
 * <p>What is held at the first point is looked up as {@link HeldSearch} does. From there on the
 * segments that may hold the grid's times are brought in: of the raw log one after the other, of
 * blocks what the points need.
 */
final class GroupGrid implements Closeable {

  /** Points to begin with: the first comes as soon as what is held there is known. */
  private static final int FIRST_POINTS = 1;

  /**
   * More do not make it any faster: pages that windows share are few by then, and what is brought
   * is still in a cache when it is asked for.
   */
  private static final long MOST_POINTS = 1 << 14;

  /** So many times more from window to window, where there are events for it. */
  private static final int GROWTH = 16;

  /** Events of the points at hand, of all groups. */
  private static final long BUDGET_BYTES =
      Math.max(1L << 20, Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 6));

  private final Questions questions;
  private final GridQuery query;
  private final GroupHistory history;
  private final Answer answer;
  private final GridEvents events;
  private final LegAccount account;
  private final Replanning replanning;
  private final GridAccount inLogOrder = new GridAccount();
  private final ChunkProbe probe = new ChunkProbe();
  private final Map<ValueShape, EventColumns> room = new TreeMap<>();
  private final List<CoverageSpan> missing = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();

  /** In log order. */
  private List<Active> feeds = new ArrayList<>();

  private boolean begun;
  private long point = -1;
  private final long points;
  private long lastPoint = -1;
  private long windowPoints;

  /** What events of the points at hand may take. */
  private final long budgetBytes;

  /** A feed, and whom it tells for. */
  private record Active(GridFeed feed, int unit) {}

  /**
   * @param plan of the grid's range, with pairs of the time before as far as values are held from
   * @param channels asked for, counted from 0 in this order
   * @param names of all groups' channels, as the channels' indices count them
   * @param groups how many groups there are, which share the memory
   */
  GroupGrid(
      Questions questions,
      GridQuery query,
      GroupPlan plan,
      List<ChannelTarget> channels,
      List<String> names,
      int groups) {
    this.questions = questions;
    this.query = query;
    history = plan.history();
    answer =
        new Answer(
            Answer.legs(plan, channels),
            plan.contents(),
            plan.report(),
            channels.size(),
            0,
            query.range(),
            false);
    events = new GridEvents(query, channels, names.size());
    account = new LegAccount(plan.report(), channels.size());
    replanning = new Replanning(answer, questions.planner());
    points = query.points();
    windowPoints = FIRST_POINTS;
    budgetBytes = BUDGET_BYTES / groups;
  }

  /** Goes on to the next point. */
  void next() throws IOException {
    point++;
    if (point > lastPoint) {
      lastPoint = Math.min(points - 1, point + windowPoints - 1);
      bring(new GridWindow(query, point, lastPoint));
    }
    events.goTo(point, lastPoint, query.oldestNanos(point));
    if (query.hasConnections()) {
      events.connections().goTo(Math.min(query.pointNanos(point), query.connectionsToNanos() - 1));
    }
  }

  /** Goes behind the last point: only connection events are left. */
  void end() throws IOException {
    bring(new GridWindow(query, points, points));
    for (Active active : feeds) {
      end(active);
    }
    feeds = List.of();
    events.connections().goTo(Long.MAX_VALUE);
    close();
  }

  private void bring(GridWindow next) throws IOException {
    if (!begun) {
      begun = true;
      begin();
    }
    List<Active> left = new ArrayList<>();
    List<Active> turns = new ArrayList<>(feeds);
    for (int i = 0; i < turns.size(); i++) {
      Active active = turns.get(i);
      try {
        if (active.feed().bring(next)) {
          left.add(active);
        } else {
          end(active);
        }
      } catch (CorruptBlockException | NoSuchFileException e) {
        turns.addAll(i + 1, instead(active, e));
      } catch (UnavailableException e) {
        giveUp(active, e);
      }
    }
    feeds = left;
    events.settle();
    windowPoints = pointsOfNextWindow();
  }

  /**
   * As many points as fit the budget if each has a number of each channel, and no more than fit it
   * with events as large and as many as those of the window at hand.
   */
  private long pointsOfNextWindow() {
    long most = budgetBytes / ((long) Math.max(1, channels().size()) * PlacedValues.ROW_BYTES);
    double share = (double) budgetBytes / Math.max(1, events.bytes());
    long next = (long) (windowPoints * Math.min(GROWTH, share));
    return Math.max(1, Math.min(next, Math.min(most, MOST_POINTS)));
  }

  private void begin() throws IOException {
    Planner planner = questions.planner();
    HeldQuery start = query.atStart();
    Planner.Opened opened = planner.open(history, HeldSearch.rangeOf(start), query.source());
    HeldSearch search =
        new HeldSearch(
            planner, opened, start, channels(), questions.settings().disorderBoundNanos());
    search.run();
    missing.addAll(search.missing());
    notes.addAll(opened.report().report().notes());
    PointSpan first = new PointSpan(query);
    for (ChannelTarget channel : channels()) {
      HeldValue value = search.value(channel);
      if (value.isKnown()) {
        events
            .track(events.channelOf(channel.index()))
            .offer(first, search.place(channel), Long.MIN_VALUE, 0, value.row(), 0);
      }
    }
    for (PlannedLeg leg : answer.legs()) {
      add(leg, -1, false, feeds);
    }
  }

  private List<ChannelTarget> channels() {
    return events.channels();
  }

  /**
   * @param unit to tell for; -1 to tell for itself
   */
  private void add(PlannedLeg planned, int unit, boolean logOrder, List<Active> to)
      throws IOException {
    if (planned.leg() instanceof StoredLeg stored) {
      int own = unitOf(unit);
      to.add(new Active(new StoredGridFeed(planned, stored, query, events, probe, room), own));
      return;
    }
    RawLeg raw = (RawLeg) planned.leg();
    List<IndexSegment> stretch = new ArrayList<>();
    for (IndexSegment segment : raw.segmentsMeeting(query.range())) {
      if (!stretch.isEmpty()
          && stretch.get(stretch.size() - 1).earliestNanos() > segment.earliestNanos()) {
        to.add(rawFeed(planned, raw, stretch, unitOf(unit), logOrder));
        stretch = new ArrayList<>();
      }
      stretch.add(segment);
    }
    if (!stretch.isEmpty()) {
      to.add(rawFeed(planned, raw, stretch, unitOf(unit), logOrder));
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
      PlannedLeg planned, RawLeg raw, List<IndexSegment> segments, int unit, boolean logOrder) {
    return new Active(
        new RawGridFeed(
            planned,
            raw,
            List.copyOf(segments),
            query,
            events,
            logOrder,
            segment ->
                inLogOrder.tell(unit, telling(planned, List.of(LegAccount.facts(segment, raw))))),
        unit);
  }

  private Runnable telling(PlannedLeg planned, List<SegmentFacts> segments) {
    return () -> account.tell(planned, segments);
  }

  private void end(Active active) throws IOException {
    active.feed().close();
    PlannedLeg planned = active.feed().planned();
    if (planned.leg() instanceof StoredLeg stored) {
      inLogOrder.tell(active.unit(), telling(planned, LegAccount.facts(stored, planned)));
    }
    inLogOrder.count(active.unit(), -1);
  }

  /** What stands for a block that failed brings its events once more, which does no harm. */
  private List<Active> instead(Active failed, IOException e) throws IOException {
    failed.feed().close();
    List<Active> instead = new ArrayList<>();
    for (PlannedLeg leg : replanning.instead(failed.feed().planned(), e)) {
      add(leg, failed.unit(), true, instead);
    }
    inLogOrder.count(failed.unit(), -1);
    return instead;
  }

  /** The rest of a raw leg cannot be read any more. */
  private void giveUp(Active failed, UnavailableException e) throws IOException {
    failed.feed().close();
    if (!(failed.feed().planned().leg() instanceof RawLeg raw)) {
      throw e;
    }
    account.unavailable(raw, questions.planner().timesOf(raw), e);
    inLogOrder.count(failed.unit(), -1);
  }

  Answer answer() {
    return answer;
  }

  GridEvents events() {
    return events;
  }

  CoverageReport coverage() {
    CoverageReport range = answer.report().report();
    List<CoverageSpan> spans = new ArrayList<>(missing);
    spans.addAll(range.spans());
    Set<String> all = new LinkedHashSet<>(notes);
    all.addAll(range.notes());
    return new CoverageReport(
        range.range(), spans, range.strays(), range.backwardSteps(), List.copyOf(all));
  }

  @Override
  public void close() throws IOException {
    IOException failed = null;
    for (Active active : feeds) {
      try {
        active.feed().close();
      } catch (IOException e) {
        failed = e;
      }
    }
    feeds = List.of();
    probe.close();
    if (failed != null) {
      throw failed;
    }
  }
}
