package org.kblake.query.internal.engine;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.answer.LatestTime;
import org.kblake.query.answer.RecordedTime;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.catalog.ClosedState;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.catalog.PairSnapshotCache;
import org.kblake.query.internal.follow.FollowSession;
import org.kblake.query.internal.follow.FollowedChannels;
import org.kblake.query.internal.grid.GridBudget;
import org.kblake.query.internal.grid.GroupGrid;
import org.kblake.query.internal.held.HeldLookup;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.plan.LatestEvent;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.source.AnswerPosition;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.internal.source.EventRuns;
import org.kblake.query.internal.source.GroupSource;
import org.kblake.query.internal.source.LastEvents;
import org.kblake.query.internal.source.RunOrder;
import org.kblake.query.internal.source.ScanThreads;
import org.kblake.query.internal.source.SkippingSource;
import org.kblake.query.internal.trend.TrendSources;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.MovedQuery;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;
import org.kblake.query.question.UnknownChannelException;

/**
 * Plans questions: finds their channels in their groups, and the source of each part of the answer.
 */
public final class QueryEngine {

  private final PairCatalog catalog;
  private final ChunkReaders readers = new ChunkReaders();
  private final Planner planner;
  private final ParallelTasks parallel;
  private final SelectionPlans selections;
  private final ScanThreads threads;

  private QueryEngine(
      PairCatalog catalog, Planner planner, ParallelTasks parallel, ScanThreads threads) {
    this.threads = threads;
    this.catalog = catalog;
    this.planner = planner;
    this.parallel = parallel;
    selections = new SelectionPlans(catalog, planner, parallel);
  }

  /**
   * Creates an engine for the contents of an archive.
   *
   * @param executor plans and reads several groups in parallel; null for the calling thread
   */
  public static QueryEngine of(
      PairCatalog catalog, @Nullable Executor executor, ScanThreads threads) {
    Planner planner = new Planner(catalog, new PairSnapshotCache(catalog.mirror()));
    return new QueryEngine(catalog, planner, new ParallelTasks(executor), threads);
  }

  public List<Group> groups() throws IOException {
    return catalog.groups();
  }

  /** Returns the channels of a question, from the record tables of its period. */
  public FoundChannels channels(EventQuery query) throws IOException {
    List<GroupPlan> plans = plan(query);
    List<CoverageSpan> unread = new ArrayList<>();
    for (GroupPlan plan : plans) {
      unread.addAll(plan.unreadTables());
    }
    return new FoundChannels(infos(SelectionPlans.resolve(query.channels(), plans), plans), unread);
  }

  /** Returns the channels that are in a record table of their group's plan. */
  private static List<ChannelInfo> infos(ChannelResolution resolution, List<GroupPlan> plans) {
    Map<Group, List<RecordTable>> tables = SelectionPlans.tables(plans);
    List<ChannelInfo> infos = new ArrayList<>();
    for (Channel channel : resolution.channels()) {
      ChannelInfo info =
          ChannelResolution.describe(
              resolution.target(channel), tables.getOrDefault(channel.group(), List.of()));
      if (info != null) {
        infos.add(info);
      }
    }
    return infos;
  }

  public EventAnswer events(EventQuery query) throws IOException {
    return query.lastEvents() > 0 ? lastEvents(query) : allEvents(query);
  }

  private List<GroupPlan> plan(EventQuery query) throws IOException {
    if (!query.isOfNewestPair()) {
      HeldQuery before = query.heldBefore();
      TimeRange range = query.range();
      TimeRange listed = before == null ? range : spanning(range, HeldLookup.rangeOf(before));
      return selections.plan(query.channels(), range, listed, query.source());
    }
    long now = EpochNanos.of(Instant.now());
    return parallel.map(
        selections.groupsOf(query.channels()),
        group -> planner.planNewest(group, query.range(), query.source(), now));
  }

  /** Returns the threads that read ahead; null with a mirror, whose reads have time limits. */
  private @Nullable ScanThreads readAhead() {
    return catalog.hasTimeLimits() ? null : threads;
  }

  private EventAnswer allEvents(EventQuery query) throws IOException {
    return eventsFrom(query, new AnswerPosition(Map.of()));
  }

  /**
   * Returns the rest of an answer about a range, from raw logs.
   *
   * @param position the rows before it were read elsewhere
   */
  public EventAnswer eventsFrom(EventQuery query, AnswerPosition position) throws IOException {
    EventSources read = sources(query, position, RunOrder.LOG);
    HeldQuery before = query.heldBefore();
    HeldCollection values = before == null ? null : collect(before, ReadListener.NONE);
    if (values != null) {
      values.addAll(read.resolution(), read.plans());
    }
    List<CoverageReport> reports =
        new ArrayList<>(SelectionPlans.unread(read.resolution(), read.plans()));
    if (values != null) {
      reports.add(values.coverage());
    }
    EventAnswer answer =
        EventAnswer.of(
            query,
            read.resolution(),
            read.shapes(),
            List.copyOf(read.sources()),
            read.reads(),
            reports);
    return values == null ? answer : answer.after(values.byTime(read.resolution().channels()));
  }

  /** Plans all events of a question, and opens their sources, one for each group. */
  private EventSources sources(EventQuery query, AnswerPosition position, RunOrder order)
      throws IOException {
    List<GroupPlan> plans = plan(query);
    ChannelResolution resolution = SelectionPlans.resolve(query.channels(), plans);
    List<List<ChannelTarget>> allTargets = resolution.targets();
    List<GroupRead> reads = new ArrayList<>();
    List<GroupSource> sources = new ArrayList<>();
    TreeSet<ValueShape> shapes = new TreeSet<>();
    for (Group group : resolution.groups()) {
      GroupPlan plan = SelectionPlans.planOf(group, plans);
      List<ChannelTarget> targets = allTargets.get(reads.size());
      ChannelResolution.addShapes(plan.tables(), targets, shapes);
      ResumedRanges ranges =
          ResumedRanges.of(
              GroupRead.ranges(plan, targets), position.points().get(group), planner, plan);
      GroupRead groupRead =
          new GroupRead(
                  ranges.ranges(),
                  plan.resolver(),
                  plan.report(),
                  targets.size(),
                  reads.size(),
                  query.range(),
                  query.hasStrays())
              .withLogOrder(query.hasLogOrder());
      reads.add(groupRead);
      // The place of events that come in another order than that of the log is needed.
      ChunkReaders wanted = order == RunOrder.LOG ? readers : readers.inLogOrder();
      GroupSource source = new GroupSource(groupRead, planner, wanted, readAhead(), order);
      source.skip(ranges.rowsToSkip(), ranges.skippedRanges());
      source.shareMemory(resolution.groups().size());
      sources.add(source);
    }
    return new EventSources(plans, resolution, shapes, allTargets, reads, sources);
  }

  /** Reads the events of a baseline and a window, and returns what moved in the window. */
  public MovedAnswer moved(MovedQuery query, ReadListener listener) throws IOException {
    AnswerPosition begin = new AnswerPosition(Map.of());
    return MovedAnswer.of(
        query,
        (events, order) -> sources(events, begin, order),
        parallel,
        held -> held(held, ReadListener.NONE),
        listener);
  }

  /** Begins to follow channels. Plans their history, and reads nothing yet. */
  public FollowSession follow(FollowQuery query) throws IOException {
    TimeRange range = new TimeRange(query.fromNanos(), Long.MAX_VALUE);
    // A group may begin to record the channels later.
    List<Group> groups = selections.groupsOf(query.channels());
    List<GroupPlan> plans =
        selections.planAll(groups, rangeOfChannels(query, range), range, query.source());
    ChannelResolution resolution;
    try {
      resolution = SelectionPlans.resolve(query.channels(), plans);
    } catch (UnknownChannelException e) {
      if (query.lastEvents() == Long.MAX_VALUE) {
        throw e;
      }
      plans = selections.planAll(groups, range, range, query.source());
      resolution = SelectionPlans.resolve(query.channels(), plans);
    }
    FollowedChannels channels =
        new FollowedChannels(resolution.patterns(), resolution.channels(), catalog::aliases);
    FollowSession following = new FollowSession(query, catalog, planner, readers, channels);
    for (GroupPlan plan : plans) {
      following.add(plan);
    }
    return following;
  }

  /** Returns the range in which followed channels must be recorded. */
  private static TimeRange rangeOfChannels(FollowQuery query, TimeRange range) {
    return query.lastEvents() == Long.MAX_VALUE || query.fromNanos() > Long.MIN_VALUE
        ? range
        : new TimeRange(EpochNanos.of(Instant.now()), Long.MAX_VALUE);
  }

  private EventAnswer lastEvents(EventQuery query) throws IOException {
    List<GroupPlan> plans =
        selections.plan(query.channels(), rangeOfChannels(query), query.range(), query.source());
    ChannelResolution resolution;
    try {
      resolution = SelectionPlans.resolve(query.channels(), plans);
    } catch (UnknownChannelException e) {
      plans = selections.plan(query.channels(), query.range(), query.range(), query.source());
      resolution = SelectionPlans.resolve(query.channels(), plans);
    }
    List<GroupRead> answers = new ArrayList<>();
    List<EventRuns> sources = new ArrayList<>();
    TreeSet<ValueShape> shapes = new TreeSet<>();
    List<List<ChannelTarget>> allTargets = resolution.targets();
    for (Group group : resolution.groups()) {
      List<ChannelTarget> targets = allTargets.get(answers.size());
      LastEvents last =
          LastEvents.find(
              planner,
              SelectionPlans.planOf(group, plans).groupPairs(),
              targets,
              query,
              resolution.names().size());
      Planner.GroupContext context = last.context();
      context.report().onlyFrom(last.fromNanos());
      context.report().pendingFrom(EpochNanos.of(Instant.now()), null);
      ChannelResolution.addShapes(
          last.ranges().stream().map(GroupRead.PlannedRange::records).toList(), targets, shapes);
      ChannelResolution.addShapes(SelectionPlans.planOf(group, plans).tables(), targets, shapes);
      GroupRead groupRead =
          new GroupRead(
              last.ranges(),
              context.resolver(),
              context.report(),
              targets.size(),
              answers.size(),
              query.range(),
              query.hasStrays());
      answers.add(groupRead);
      sources.add(
          new SkippingSource(
              new GroupSource(groupRead, planner, readers, readAhead()),
              Arrays.copyOf(last.skips(), last.skips().length)));
    }
    return EventAnswer.of(
        query, resolution, shapes, sources, answers, SelectionPlans.unread(resolution, plans));
  }

  /**
   * Returns the range in which the channels of a question about last events must be recorded. This
   * is its range, or only its end if it has no begin, because otherwise every pair of the archive
   * would be opened. Names in one group need only the end, because they select the same channels in
   * all pairs.
   */
  private static TimeRange rangeOfChannels(EventQuery query) {
    TimeRange range = query.range();
    ChannelSelection channels = query.channels();
    boolean named = channels.groups().size() == 1 && SelectionPlans.isNames(channels);
    if (!named && range.fromNanos() > Long.MIN_VALUE) {
      return range;
    }
    long last = EpochNanos.minus(range.toNanos(), 1);
    return new TimeRange(Math.max(range.fromNanos(), last), range.toNanos());
  }

  public HeldResult held(HeldQuery query, ReadListener listener) throws IOException {
    listener.planned(0);
    return collect(query, listener).answer(selections);
  }

  private HeldCollection collect(HeldQuery query, ReadListener listener) {
    return new HeldCollection(planner, catalog.settings().disorderBoundNanos(), query, listener);
  }

  /** Returns the range from the begin of the earlier range to the end of the later one. */
  private static TimeRange spanning(TimeRange range, TimeRange other) {
    return new TimeRange(
        Math.min(range.fromNanos(), other.fromNanos()), Math.max(range.toNanos(), other.toNanos()));
  }

  public GridAnswer grid(GridQuery query) throws IOException {
    TimeRange range = query.range();
    TimeRange listed = spanning(range, HeldLookup.rangeOf(query.atStart()));
    List<GroupPlan> plans = selections.plan(query.channels(), range, listed, query.source());
    ChannelResolution resolution = SelectionPlans.resolve(query.channels(), plans);
    List<ChannelInfo> infos = infos(resolution, plans);
    GridBudget budget = new GridBudget(infos);
    List<List<ChannelTarget>> targets = resolution.numbered();
    List<GroupGrid> grids = new ArrayList<>();
    List<ReadRange> ranges = new ArrayList<>();
    for (Group group : resolution.groups()) {
      ranges.addAll(SelectionPlans.planOf(group, plans).ranges());
      grids.add(
          new GroupGrid(
              planner,
              catalog.settings().disorderBoundNanos(),
              query,
              SelectionPlans.planOf(group, plans),
              targets.get(grids.size()),
              budget));
    }
    return new GridAnswer(
        query, resolution, infos, grids, ranges, SelectionPlans.unread(resolution, plans));
  }

  public TrendAnswer trend(TrendQuery query) throws IOException {
    TrendSources sources = trendSources(query, ReadListener.NONE);
    List<GroupPlan> plans =
        selections.plan(query.channels(), query.range(), sources.listed(), query.source());
    ChannelResolution resolution = SelectionPlans.resolve(query.channels(), plans);
    List<GroupPlan> ofGroups = new ArrayList<>();
    resolution.groups().forEach(group -> ofGroups.add(SelectionPlans.planOf(group, plans)));
    return TrendAnswer.of(
        query, resolution, ofGroups, SelectionPlans.unread(resolution, plans), sources, parallel);
  }

  private TrendSources trendSources(TrendQuery query, ReadListener listener) {
    TimeRange range = query.range();
    TimeRange listed =
        query.hasHeldValues()
            ? new TimeRange(
                EpochNanos.minus(range.fromNanos(), query.lookBackNanos()), range.toNanos())
            : range;
    long bound = catalog.settings().disorderBoundNanos();
    return new TrendSources(planner, readers, readAhead(), bound, query, listed, listener, 1);
  }

  /** Returns the times at which a channel holds a value that meets a condition. */
  public IntervalsAnswer intervals(IntervalQuery query, ReadListener listener) throws IOException {
    TrendSources sources = trendSources(IntervalsAnswer.times(query), listener);
    List<GroupPlan> plans =
        selections.plan(query.channels(), query.readRange(), sources.listed(), query.source());
    ChannelResolution resolution = SelectionPlans.resolve(query.channels(), plans);
    return IntervalsAnswer.of(
        query,
        resolution,
        SelectionPlans.planOf(resolution.channels().get(0).group(), plans),
        SelectionPlans.unread(resolution, plans),
        sources);
  }

  /** Returns the state of the files of some groups; null if the range is open for one of them. */
  public @Nullable String closedState(Collection<Group> groups, TimeRange range)
      throws IOException {
    StringBuilder all = new StringBuilder();
    for (Group group : groups) {
      String state = ClosedState.of(catalog, planner.list(group, range, Source.AUTO), range);
      if (state == null) {
        return null;
      }
      all.append(state).append('\n');
    }
    return all.toString();
  }

  public LatestTime latestEvent(Group group) throws IOException {
    return planner.answer(
        group, TimeRange.ALL, Source.AUTO, context -> new LatestEvent(context).find());
  }

  public RecordedTime recorded(Channel channel) throws IOException {
    return planner.answer(
        channel.group(),
        TimeRange.ALL,
        Source.AUTO,
        context -> new LatestEvent(context).recorded(channel.name()));
  }
}
