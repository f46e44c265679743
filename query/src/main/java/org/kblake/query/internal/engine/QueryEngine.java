package org.kblake.query.internal.engine;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.answer.LatestTime;
import org.kblake.query.answer.RecordedTime;
import org.kblake.query.internal.catalog.ClosedState;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.catalog.PairSnapshotCache;
import org.kblake.query.internal.follow.FollowSession;
import org.kblake.query.internal.follow.FollowedChannels;
import org.kblake.query.internal.grid.GridBudget;
import org.kblake.query.internal.grid.GroupGrid;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.LatestEvent;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.internal.source.AnswerPosition;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.internal.source.ScanThreads;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.MovedQuery;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;

/** Plans questions: finds their channels in their groups, and how each group is read. */
public final class QueryEngine {

  private final PairCatalog catalog;

  /** Reads ahead, even if the archive has a mirror. */
  private final Readings base;

  private final ScopePlanner scopes;

  private QueryEngine(PairCatalog catalog, Readings base, ParallelTasks parallel) {
    this.catalog = catalog;
    this.base = base;
    scopes = new ScopePlanner(catalog, base.planner(), parallel);
  }

  /**
   * Creates an engine for the contents of an archive.
   *
   * @param executor plans and reads several groups in parallel; null for the calling thread
   */
  public static QueryEngine of(
      PairCatalog catalog, @Nullable Executor executor, ScanThreads threads) {
    Planner planner = new Planner(catalog, new PairSnapshotCache(catalog.mirror()));
    return new QueryEngine(
        catalog,
        new Readings(planner, new ChunkReaders(), threads, 1, ReadListener.NONE),
        new ParallelTasks(executor));
  }

  /**
   * Returns what the readings of a question share. With a mirror, which may begin or end while the
   * archive is open, reads have time limits, and nothing is read ahead.
   */
  private Readings readings() {
    return catalog.hasTimeLimits() ? base.withoutReadAhead() : base;
  }

  private EventPlanner events() {
    return new EventPlanner(scopes, readings());
  }

  public List<Group> groups() throws IOException {
    return catalog.groups();
  }

  /** Returns the groups that are ledgers of losses. */
  public List<Group> ledgers() throws IOException {
    return catalog.ledgers();
  }

  /** Returns the channels of a question, from the record tables of its period. */
  public FoundChannels channels(EventQuery query) throws IOException {
    ScopePlan plan = events().plan(query);
    List<CoverageSpan> unread = plan.unreadTables();
    return new FoundChannels(plan.infos(), unread);
  }

  /** Plans events of a range, or the last ones. */
  public EventAnswer events(EventQuery query) throws IOException {
    return query.lastEvents() > 0
        ? events().last(query)
        : eventsFrom(query, new AnswerPosition(Map.of()));
  }

  /**
   * Returns the rest of an answer about a range, from raw logs.
   *
   * @param position the rows before it were read elsewhere
   */
  public EventAnswer eventsFrom(EventQuery query, AnswerPosition position) throws IOException {
    return events().from(query, position);
  }

  /** Reads the events of a baseline and a window, and returns what moved in the window. */
  public MovedAnswer moved(MovedQuery query, ReadListener listener) throws IOException {
    return MovedAnswer.of(query, scopes, readings().tell(listener));
  }

  /** Begins to follow channels. Plans their history, and reads nothing yet. */
  public FollowSession follow(FollowQuery query) throws IOException {
    boolean isOfLast = query.lastEvents() < Long.MAX_VALUE && query.fromNanos() == Long.MIN_VALUE;
    long recorded = isOfLast ? EpochNanos.of(Instant.now()) : query.fromNanos();
    ScopePlan plan = scopes.planAll(query.scope(), new TimeRange(recorded, Long.MAX_VALUE));
    FollowSession following = session(query, plan);
    for (GroupPlan each : plan.plans()) {
      following.add(each);
    }
    return following;
  }

  /**
   * Begins to read the logs of one group in order.
   *
   * @param from the place of the first event; null for the first pair of the query's time
   */
  public FollowSession followLogs(FollowQuery query, @Nullable LogPosition from)
      throws IOException {
    ScopePlan plan = scopes.planAll(query.scope(), query.range());
    FollowSession following = session(query, plan);
    for (GroupPlan each : plan.plans()) {
      following.addInOrder(each, from);
    }
    return following;
  }

  private FollowSession session(FollowQuery query, ScopePlan plan) {
    ChannelResolution resolution = plan.resolution();
    FollowedChannels channels =
        new FollowedChannels(resolution.patterns(), resolution.channels(), catalog::aliases);
    return new FollowSession(query, catalog, base.withoutReadAhead(), channels);
  }

  /** Looks up the values that channels held at an instant. */
  public HeldResult held(HeldQuery query, ReadListener listener) throws IOException {
    listener.planned(0);
    return new HeldCollection(query, listener).answer(scopes.plan(query.scope()), base);
  }

  public GridAnswer grid(GridQuery query) throws IOException {
    ScopePlan plan = scopes.plan(query.scope().between(query.range()));
    List<ChannelInfo> infos = plan.infos();
    GridBudget budget = new GridBudget(infos);
    List<GroupGrid> grids = new ArrayList<>();
    for (Reading group : plan.numbered(base)) {
      grids.add(new GroupGrid(group, query, budget));
    }
    AnswerReport report = new AnswerReport.OfGroups(query.range(), grids, plan.unread());
    return new GridAnswer(query, plan.resolution(), infos, grids, report);
  }

  public TrendAnswer trend(TrendQuery query) throws IOException {
    TrendQuery listed = query.hasHeldValues() ? query : query.with(query.scope().lookBackNanos(0));
    return TrendAnswer.of(listed, scopes.plan(listed.scope()), readings(), scopes.parallel());
  }

  /** Returns the times at which a channel holds a value that meets a condition. */
  public IntervalsAnswer intervals(IntervalQuery query, ReadListener listener) throws IOException {
    TrendQuery times = IntervalsAnswer.times(query);
    return IntervalsAnswer.of(query, times, scopes.plan(times.scope()), readings().tell(listener));
  }

  /** Returns the state of the files of some groups; null if the range is open for one of them. */
  public @Nullable String closedState(Collection<Group> groups, TimeRange range)
      throws IOException {
    StringBuilder all = new StringBuilder();
    for (Group group : groups) {
      String state = ClosedState.of(catalog, base.planner().list(group, range, Source.AUTO), range);
      if (state == null) {
        return null;
      }
      all.append(state).append('\n');
    }
    return all.toString();
  }

  public LatestTime latestEvent(Group group) throws IOException {
    return base.planner().answer(group, Source.AUTO, opened -> new LatestEvent(opened).find());
  }

  public RecordedTime recorded(Channel channel) throws IOException {
    return base.planner()
        .answer(
            channel.group(),
            Source.AUTO,
            opened -> new LatestEvent(opened).recorded(channel.name()));
  }
}
